import { Refusal } from '../refusal.ts';

/** A name and its value as a query string or a form spells them, decoded. */
export type Pair = readonly [name: string, value: string];

/** Form encoding, read strictly: what cannot be decoded is refused, where a lenient reader would answer nonsense. */
export function readPairs(text: string, where: 'query string' | 'form'): Pair[] {
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      const [name, value] = equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
      return [decode(name, where), decode(value, where)];
    });
}

function decode(text: string, where: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Refusal(400, `The ${where} has a percent-encoding that is not UTF-8, such as '%zz'.`);
  }
}

/** The query string of a request's target, without its question mark. */
export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}
