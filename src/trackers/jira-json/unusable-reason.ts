/** More of a value does not help to find it. */
const MAX_QUOTE = 60;

/** The problem with the member at this path, which the schema does not allow. */
export function unusableReason(raw: unknown, path: readonly PropertyKey[]): string {
  const value = path.reduce<unknown>(memberOf, raw);
  const member = path.join('.');
  if (member === '') return `it is ${kindOf(value)}`;
  if (value === undefined || value === null) return `${member} is missing`;
  if (member === 'key') return `key ${quoted(value)} is not an issue key`;
  return `${member} cannot be read: it is ${kindOf(value)}`;
}

/** An instant that is not spelled as one, or that does not exist. */
export function noInstant(member: string, value: unknown): string {
  return `${member} ${quoted(value)} is not a date with a time`;
}

/**
 * Returns why what was read of `raw` cannot be stored: a text of it has the character NUL, which PostgreSQL refuses. Null
 * where none has; texts of `raw` that are not used do not matter.
 */
export function nulProblem(read: unknown, raw: unknown): string | null {
  if (!hasNul(read)) return null;
  return `${memberWithNul(raw) || 'it'} has the character NUL, which cannot be stored`;
}

/** Returns true where a text or the name of a member has NUL; each issue of a sync is looked through. */
function hasNul(value: unknown): boolean {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === 'string' && one.includes('\0')) return true;
    if (typeof one !== 'object' || one === null) continue;
    for (const name of Object.keys(one)) {
      if (name.includes('\0')) return true;
      left.push(Reflect.get(one, name));
    }
  }
  return false;
}

/** The path of a text with NUL, or of a member with such a name; null where there is none. Nesting may be as deep as memory. */
function memberWithNul(value: unknown): string | null {
  const left: [value: unknown, path: string][] = [[value, '']];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [one, path] = next;
    if (typeof one === 'string' && one.includes('\0')) return path;
    if (one === null || typeof one !== 'object') continue;
    for (const [name, member] of Object.entries(one).reverse()) {
      const inside = path === '' ? name : `${path}.${name}`;
      if (name.includes('\0')) return inside;
      left.push([member, inside]);
    }
  }
  return null;
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  return value !== null && typeof value === 'object' ? Reflect.get(value, key) : undefined;
}

function quoted(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `'${text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text}'`;
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'number') return `the number ${value}`;
  if (Array.isArray(value)) return 'a list';
  return value !== null && typeof value === 'object' ? 'an object without what belongs there' : String(value);
}
