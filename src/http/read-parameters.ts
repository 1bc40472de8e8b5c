import { type GivenParameters, isEmpty, type ParameterNames } from '../api/parameters/check-parameters.ts';
import type { ReportShape } from '../api/parameters/columns.ts';
import { shown } from '../api/parameters/parameter.ts';
import {
  entryId,
  parametersOf,
  savedTexts,
  unknownNames,
  withoutForeign,
} from '../api/parameters/saved-report.ts';
import { companions } from '../api/parameters/selection.ts';
import { AppError, about, badRequestAs } from '../model/error.ts';
import type { Principal } from '../model/request.ts';
import { Refusal } from './failures.ts';
import type { HttpParts } from './route.ts';

/** Form encoding, read strictly: what cannot be decoded is refused, where a lenient reader would answer nonsense. */
export function readPairs(text: string, where: 'query string' | 'form'): Pair[] {
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      const [name, value] = equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
      const plain = decode(name);
      if (plain === null) throw new Refusal(400, `The ${where} ${BROKEN}.`);
      return [plain, decode(value) ?? throwUnreadable(plain, where)];
    });
}

const BROKEN = "has a percent-encoding that is not UTF-8, such as '%zz'";

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function throwUnreadable(spelled: string, where: string): never {
  const name = shown(spelled.trim());
  const sentence = `${name} in the ${where} ${BROKEN}.`;
  throw new Refusal(400, sentence, { fields: { [name]: sentence } });
}

/**
 * The members of a JSON object as a form would send them: a list is given several times, or as its text where the
 * parameter is JSON, as is an object anywhere. Entries of lists may be objects with an id, as in saved sets.
 */
export function pairsOf(
  body: Readonly<Record<string, unknown>>,
  { canonical, json }: Pick<ParameterNames, 'canonical' | 'json'>,
): Pair[] {
  return Object.entries(body).flatMap(([name, value]): Pair[] => {
    const isJson = json.has(canonical.get(name.trim().toLowerCase()) ?? '');
    if (!Array.isArray(value) || isJson) return [[name, textOf(value)]];
    return value.length === 0 ? [[name, '']] : value.map((one: unknown) => [name, textOf(entryId(one))]);
  });
}

function textOf(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The query string of a request's target, without its question mark. */
export function queryStringOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/**
 * The parameters a request names, over those of the parameter set it names; without one they are as they were. `ignored`
 * are names in the set that no report takes.
 */
export async function withSaved(
  given: GivenParameters,
  names: ParameterNames,
  principal: Principal,
  { settings, reporting }: Pick<HttpParts, 'settings' | 'reporting'>,
): Promise<{ readonly given: GivenParameters; readonly ignored: readonly string[] }> {
  const id = given.get('paramSetId');
  if (id === undefined) return { given, ignored: [] };
  const { report } = await settings.parameterSet(principal, id.trim()).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'not-found') throw error;
    const { reason, message, details } = error;
    throw new AppError(reason, message, details, { fields: { paramSetId: details.join(' ') || message } });
  });
  const saved = savedTexts(parametersOf(report), names);
  const ofSet = withoutForeign(saved, given, names, reporting.reportTypes);
  return { given: new Map([...ofSet, ...given]), ignored: unknownNames(report) };
}

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

type Uses = Readonly<Record<string, readonly string[]>>;

/** The option of a report type that a parameter is for. */
const optionOf: Readonly<Record<string, string>> = {
  multiVisitBehavior: 'multiVisitBehavior',
  groups: 'groups',
  timePeriod: 'timePeriod',
  dbsMetrics: 'metrics',
  historyFields: 'historyFields',
};

/** The statistics that use one of their parameters. */
const statistics: Uses = {
  percentile: ['percentile'],
  averageDenominator: ['average', 'standardDeviation'],
  stddevType: ['standardDeviation'],
};

/** The files of a single statistic, or of none; the other files have every one. */
const statisticOfFile: Readonly<Record<string, string>> = {
  csv: 'list',
  csvaverage: 'average',
  csvsum: 'sum',
  csvmedian: 'median',
  csvstddev: 'standardDeviation',
};

/**
 * The known parameters of a request that its answer does not use: a choice that changes nothing must not look like one.
 * `input` has those of a parameter set as well.
 */
export function unusedNames(
  named: GivenParameters,
  input: GivenParameters,
  reportTypes: () => readonly ReportShape[],
): string[] {
  const word = (name: string) => input.get(name)?.trim().toLowerCase() ?? '';
  const filter = Object.entries(companions).find(([type]) => type === filterOf(word('filterType')))?.[1];
  const statistic = input.has('aggregationType')
    ? word('aggregationType')
    : statisticOfFile[word('outputType')];
  const isUnused = (name: string) => {
    if (isAmong(Object.values(companions), name)) return filter !== undefined && filter !== name;
    if (name === 'dateRangeField') return word('startDate') === '' && word('endDate') === '';
    if (name === 'fields') return input.has('aggregationType');
    const [option, uses] = [optionOf[name], statistics[name]];
    if (option !== undefined) {
      return !reportTypes().some(
        ({ id, options }) => options.includes(option) && id.toLowerCase() === word('columnsBy'),
      );
    }
    return uses !== undefined && statistic !== undefined && !isAmong(uses, statistic);
  };
  return [...named.keys()].filter(isUnused);
}

/** An alias of the contract. */
function filterOf(word: string): string {
  return word === 'advanced' ? 'jqlfilter' : word;
}

function isAmong(words: readonly string[], word: string): boolean {
  return words.some((one) => one.toLowerCase() === word.toLowerCase());
}
