// Arithmetic on text: numbers, + - * / and brackets, nothing else.

import { ToolError } from './stdio.js';

export function calculate(expression) {
  if (expression.length > 200) throw new ToolError('the expression is longer than 200 characters');
  const tokens = expression.match(/\d+(?:\.\d+)?|\S/g) ?? [];
  let at = 0;
  const wrong = () => new ToolError('that is not arithmetic; use numbers, + - * / and brackets');

  function sum() {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '-') {
      value = tokens[at++] === '+' ? value + product() : value - product();
    }
    return value;
  }

  function product() {
    let value = factor();
    while (tokens[at] === '*' || tokens[at] === '/') {
      value = tokens[at++] === '*' ? value * factor() : value / factor();
    }
    return value;
  }

  function factor() {
    const token = tokens[at++];
    if (token === '-') return -factor();
    if (token === '(') {
      const value = sum();
      if (tokens[at++] !== ')') throw wrong();
      return value;
    }
    if (!/^\d/.test(token ?? '')) throw wrong();
    return Number(token);
  }

  const value = sum();
  if (at < tokens.length) throw wrong();
  return value;
}
