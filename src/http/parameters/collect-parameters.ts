import { type GivenParameters, isEmpty, type ParameterNames } from '../../api/parameters/check-parameters.ts';
import { shown } from '../../api/parameters/parameter.ts';
import { about, badRequestAs } from '../../model/error.ts';

/** A name and its value as a query string or a form spells them, decoded, or as a JSON object has them. */
export type Pair = readonly [name: string, value: string];

/**
 * The parameters of a request. Names are matched without regard to case; a list may be given several times, a single
 * value only if it says the same. An empty parameter says no more than an absent one, and one that this route does not
 * know is left alone: clients of the compatible product send them.
 */
export function collectParameters(pairs: readonly Pair[], names: ParameterNames): GivenParameters {
  const { canonical, lists, secrets } = names;
  const given = new Map<string, string>();
  for (const [spelled, value] of indexedStatuses(pairs)) {
    const name = canonical.get(spelled.trim().toLowerCase());
    if (name === undefined || isEmpty(value, name, names)) continue;
    const before = given.get(name);
    if (before !== undefined && !lists.has(name) && before !== value) {
      const both = secrets.has(name) ? '' : `, as '${shown(before)}' and as '${shown(value)}'`;
      throw badRequestAs('conflicting-values', about(name, `is given twice${both}. Try: one value.`));
    }
    given.set(name, before === undefined || !lists.has(name) ? value : `${before},${value}`);
  }
  return given;
}

/** Names that the route does not take, as they were spelled: a typo must not look like a choice. */
export function ignoredNames(pairs: readonly Pair[], { canonical }: ParameterNames): string[] {
  const known = (name: string) =>
    name === '' || name.toLowerCase() === 'tisjwt' || canonical.has(name.toLowerCase()) || indexed.test(name);
  const names = pairs.map(([name]) => name.trim()).filter((name) => !known(name));
  return [...new Set(names)].slice(0, MAX_NAMES).map(shown);
}

const MAX_NAMES = 20;

const indexed = /^statuses\[(\d{1,6})\]\.(id|type)$/i;

/** `statuses[0].id=3&statuses[0].type=std`, as screens of the compatible product send it, becomes `statuses=3`. */
function indexedStatuses(pairs: readonly Pair[]): Pair[] {
  return pairs.map(([name, value]) => {
    const part = indexed.exec(name.trim())?.[2]?.toLowerCase();
    if (part === undefined) return [name, value];
    if (part === 'id') return ['statuses', value];
    if (value.trim().toLowerCase() === 'std') return ['', ''];
    throw badRequestAs('unknown-name', about(name.trim(), `'${shown(value)}' is not known. Try: std.`));
  });
}
