import type { GivenParameters, ParameterNames } from '../../api/parameters/check-parameters.ts';
import { shown } from '../../api/parameters/parameter.ts';
import {
  entryId,
  parametersOf,
  savedTexts,
  unknownNames,
  withoutForeign,
} from '../../api/parameters/saved-report.ts';
import { AppError } from '../../model/error.ts';
import type { Principal } from '../../model/request.ts';
import { Refusal } from '../failures.ts';
import type { HttpParts } from '../route.ts';
import type { Pair } from './collect-parameters.ts';

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
 * parameter is JSON, as is an object anywhere. Entries of lists may be objects that tell their id, as in saved sets.
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
export function queryOf(url: string): string {
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
