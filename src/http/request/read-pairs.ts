import { shown } from '../../parameters/parameter.ts';
import type { ParameterNames } from '../../parameters/parameter-names.ts';
import { idOf } from '../../parameters/saved-report.ts';
import { Refusal } from '../refusal.ts';

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
