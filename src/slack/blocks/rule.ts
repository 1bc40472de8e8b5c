/** Where blocks are shown; each place knows other blocks. */
export type Surface = 'message' | 'modal' | 'home';

/** One thing Slack would refuse: where (a JSON pointer) and why. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** What every rule gets beside the value: the surface, and where to report a problem. */
export interface Inspection {
  readonly surface: Surface;
  readonly say: (path: string, message: string) => void;
}

/** Looks at one value at one place and reports what is wrong with it. */
export type Rule = (value: unknown, path: string, inspection: Inspection) => void;

/** Bounds of a length, a count or a number, both ends allowed. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A string within bounds; length is counted in UTF-16 units, which is never less than what Slack counts. */
export function string({ min = 1, max = Number.POSITIVE_INFINITY }: Bounds = {}): Rule {
  return (value, path, { say }) => {
    if (typeof value !== 'string') say(path, 'must be a string');
    else if (value.length < min) say(path, `must be more than ${min - 1} characters`);
    else if (value.length > max) say(path, `must be less than ${max + 1} characters [has ${value.length}]`);
  };
}

/** A string of a certain form, described in words. */
export function matching(pattern: RegExp, form: string): Rule {
  return (value, path, { say }) => {
    if (typeof value !== 'string' || !pattern.test(value)) say(path, `must be ${form}`);
  };
}

/** A finite number within bounds. */
export function number({
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
}: Bounds = {}): Rule {
  return (value, path, { say }) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) say(path, 'must be a number');
    else if (value < min || value > max) say(path, `must be between ${min} and ${max} [is ${value}]`);
  };
}

/** A whole number within bounds. */
export function integer(bounds: Bounds = {}): Rule {
  return (value, path, inspection) => {
    if (!Number.isInteger(value)) inspection.say(path, 'must be a whole number');
    else number(bounds)(value, path, inspection);
  };
}

/** `true` or `false`. */
export const boolean: Rule = (value, path, { say }) => {
  if (typeof value !== 'boolean') say(path, 'must be true or false');
};

/** One of a few words. */
export function anyOf(...words: readonly string[]): Rule {
  return (value, path, { say }) => {
    if (typeof value !== 'string' || !words.includes(value)) say(path, `must be one of ${words.join(', ')}`);
  };
}

/** A list whose every item keeps one rule. */
export function list(item: Rule, { min = 1, max = Number.POSITIVE_INFINITY }: Bounds = {}): Rule {
  return (value, path, inspection) => {
    if (!Array.isArray(value)) return inspection.say(path, 'must be a list');
    if (value.length < min) inspection.say(path, `must have at least ${min} items [has ${value.length}]`);
    if (value.length > max) inspection.say(path, `no more than ${max} items allowed [has ${value.length}]`);
    value.forEach((each, index) => {
      item(each, `${path}/${index}`, inspection);
    });
  };
}

/** An object with these members and no others; Slack refuses members it does not know. */
export function shape(
  required: Readonly<Record<string, Rule>>,
  optional: Readonly<Record<string, Rule>> = {},
): Rule {
  const needed = Object.entries(required);
  const allowed = new Map(Object.entries(optional));
  return (value, path, inspection) => {
    if (!isRecord(value)) return inspection.say(path, 'must be an object');
    for (const [name, rule] of needed) {
      if (value[name] === undefined) inspection.say(`${path}/${name}`, 'missing required field');
      else rule(value[name], `${path}/${name}`, inspection);
    }
    for (const name in value) {
      const member = value[name];
      if (Object.hasOwn(required, name) || member === undefined) continue;
      const rule = allowed.get(name);
      if (rule) rule(member, `${path}/${name}`, inspection);
      else inspection.say(`${path}/${name}`, 'invalid additional property');
    }
  };
}

/** An object whose `type` names the rule it keeps. */
export function byType(what: string, rules: Readonly<Record<string, Rule>>): Rule {
  return (value, path, inspection) => {
    if (!isRecord(value)) return inspection.say(path, 'must be an object');
    const { type } = value;
    if (typeof type !== 'string') return inspection.say(`${path}/type`, 'missing required field');
    const rule = Object.hasOwn(rules, type) ? rules[type] : undefined;
    if (rule) rule(value, path, inspection);
    else inspection.say(`${path}/type`, `unsupported ${what} type: ${type}`);
  };
}

/** Several rules about one value. */
export function all(...rules: readonly Rule[]): Rule {
  return (value, path, inspection) => {
    for (const rule of rules) rule(value, path, inspection);
  };
}

/** A relation between members, described in words for when it does not hold. */
export function must(test: (value: Readonly<Record<string, unknown>>) => boolean, message: string): Rule {
  return (value, path, { say }) => {
    if (isRecord(value) && !test(value)) say(path, message);
  };
}

/** Anything at all: the member may be there and is not looked into. */
export const anything: Rule = () => {};

const shownMembers = new Set(['text', 'title', 'subtitle', 'caption', 'label', 'name', 'alt_text', 'body']);

/** How many characters a reader would be shown: what Slack's limits over whole tables and messages count. */
export function charactersIn(value: unknown): number {
  let sum = 0;
  if (Array.isArray(value)) for (let i = 0; i < value.length; i += 1) sum += charactersIn(value[i]);
  else if (isRecord(value)) {
    for (const name in value) {
      const member = value[name];
      if (typeof member !== 'string') sum += charactersIn(member);
      else if (shownMembers.has(name)) sum += member.length;
    }
  }
  return sum;
}
