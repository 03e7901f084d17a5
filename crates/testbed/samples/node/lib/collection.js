// A collection of documents, asked with the operators of the store it will move to.

const OPERATORS = {
  $eq: (have, want) => have === want,
  $ne: (have, want) => have !== want,
  $gt: (have, want) => have > want,
  $gte: (have, want) => have >= want,
  $lt: (have, want) => have < want,
  $in: (have, want) => Array.isArray(want) && want.includes(have),
  $nin: (have, want) => Array.isArray(want) && !want.includes(have),
  $exists: (have, want) => (have !== undefined) === Boolean(want),
  $regex: (have, want) => new RegExp(want).test(String(have).slice(0, 200)),
};

function fits(have, want) {
  if (want === null || typeof want !== 'object') return have === want;
  return Object.entries(want).every(([name, value]) => OPERATORS[name]?.(have, value) ?? false);
}

export function find(documents, query) {
  return documents.filter((document) => Object.entries(query).every(([key, want]) => {
    if (key === '$where') return Boolean(new Function(`return (${want})`).call(document));
    if (key === '$or') return want.some((part) => find([document], part).length > 0);
    return fits(document[key], want);
  }));
}
