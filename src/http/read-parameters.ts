import type { ReportTypeFacts } from '../api/reporting/reporting-api.ts';
import { AppError, about, badRequestAs } from '../model/error.ts';
import type { Principal } from '../model/request.ts';
import type { Given } from '../parameters/check-parameters.ts';
import { creditingReport } from '../parameters/columns.ts';
import { shown } from '../parameters/parameter.ts';
import { isEmpty, type ParameterNames } from '../parameters/parameter-names.ts';
import { idOf, outputTypes, parametersOf, savedTexts, unknownNames } from '../parameters/saved-report.ts';
import { Refusal } from './failures.ts';
import type { HttpParts } from './route.ts';

/** A name and its value as a query string or a form spells them, decoded, or as a JSON object has them. */
export type Pair = readonly [name: string, value: string];

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
      return [plain, decode(value) ?? refuseValue(plain, where)];
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

function refuseValue(spelled: string, where: string): never {
  const name = shown(spelled.trim());
  const sentence = `${name} in the ${where} ${BROKEN}.`;
  throw new Refusal(400, sentence, { fields: { [name]: sentence } });
}

/**
 * The members of a JSON object as a form would send them: a list is given several times, or as its text where the
 * parameter is JSON, as is an object anywhere. Entries of lists may be objects that tell their id, as in saved sets.
 */
export function pairsOf(
  body: Readonly<Record<string, unknown>>,
  { canonical, json }: Pick<ParameterNames, 'canonical' | 'json'>,
): Pair[] {
  return Object.entries(body).flatMap(([name, value]): Pair[] => {
    const isJson = json.has(canonical.get(name.trim().toLowerCase()) ?? '');
    if (!Array.isArray(value) || isJson) return [[name, textOf(value)]];
    return value.length === 0 ? [[name, '']] : value.map((one: unknown) => [name, textOf(idOf(one))]);
  });
}

function textOf(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The query string of a request's target, without its question mark. */
export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/**
 * The parameters of a request. Names are matched without regard to case; a list may be given several times, a single
 * value only if it says the same. An empty parameter says no more than an absent one, and one that this route does not
 * know is left alone: clients of the compatible product send them.
 */
export function collectParameters(pairs: readonly Pair[], names: ParameterNames): Given {
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

/** Names nobody reads here, as they were spelled: a typo must not look like a choice. */
export function ignoredNames(pairs: readonly Pair[], { canonical }: ParameterNames): string[] {
  const known = (name: string) =>
    name === '' || name.toLowerCase() === 'tisjwt' || canonical.has(name.toLowerCase()) || indexed.test(name);
  const names = pairs.map(([name]) => name.trim()).filter((name) => !known(name));
  return [...new Set(names)].slice(0, MOST_NAMES).map(shown);
}

const MOST_NAMES = 20;

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

/**
 * The parameters a request names, over those of the parameter set it names; without one they are as they were. `ignored`
 * are names in the set that no report takes.
 */
export async function withSaved(
  given: Given,
  names: ParameterNames,
  principal: Principal,
  { settings, reporting }: Pick<HttpParts, 'settings' | 'reporting'>,
): Promise<{ readonly given: Given; readonly ignored: readonly string[] }> {
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

/**
 * Leaves aside what was saved for another kind of endpoint where this one has a choice of its own: the type of a
 * report over issues keeps no one from asking for the visits of one, nor a saved kind of file from asking for JSON;
 * delegates are credited only by the report that does so, whichever `asked` or the set names. What is unknown everywhere
 * stays, and is refused.
 */
function withoutForeign(
  given: Given,
  asked: Given,
  { required, words, reportShape }: ParameterNames,
  reportTypes: readonly ReportTypeFacts[],
): Given {
  const report = (asked.get('columnsBy') ?? given.get('columnsBy'))?.trim().toLowerCase();
  const isForeign = (name: string, value: string) => {
    const wanted = value.trim().toLowerCase();
    if (required.has(name)) return false;
    if (name === 'outputType')
      return (
        outputTypes.some((type) => type.toLowerCase() === wanted) && words.get(name)?.has(wanted) !== true
      );
    if (name === 'creditDelegates') return report !== creditingReport.toLowerCase();
    if (name !== 'columnsBy') return false;
    return reportTypes.some(({ id, shape }) => id.toLowerCase() === wanted && shape !== reportShape);
  };
  return new Map([...given].filter(([name, value]) => !isForeign(name, value)));
}
