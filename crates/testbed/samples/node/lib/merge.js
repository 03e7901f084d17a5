// Objects laid over each other, the one later given winning.

export function merge(target, source) {
  for (const key of Object.keys(source)) {
    const value = source[key];
    if (value && typeof value === 'object' && !Array.isArray(value)) {
      target[key] = merge(target[key] ?? {}, value);
    } else {
      target[key] = value;
    }
  }
  return target;
}

export function setPath(target, path, value) {
  const keys = path.split('.').slice(0, 20);
  let at = target;
  for (const key of keys.slice(0, -1)) {
    at[key] ??= {};
    at = at[key];
  }
  at[keys.at(-1)] = value;
}

const BARRED = new Set(['__proto__', 'constructor', 'prototype']);

export function mergePlain(target, source) {
  for (const [key, value] of Object.entries(source)) {
    if (BARRED.has(key)) continue;
    const nested = value && typeof value === 'object' && !Array.isArray(value);
    target[key] = nested ? mergePlain(Object.create(null), value) : value;
  }
  return target;
}
