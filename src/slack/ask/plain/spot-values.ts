import { asLiteral } from '../../../api/reporting/query-text.ts';
import type { ParserContext } from '../grammar/parser-context.ts';
import { isNegator } from './negations.ts';
import {
  folded,
  foldedNames,
  type Slot,
  type Span,
  singulars,
  type Token,
  textOf,
  typedText,
} from './sentence.ts';
import { everydayValues, fieldWords, fillers, phrases } from './vocabulary.ts';

/** Fields whose values are known by their names alone, the most telling first. */
const namedFields = ['issuetype', 'priority', 'component', 'fixVersion', 'resolution'] as const;

/** The names of values that fields have, as they are written; first those of the status. */
export type Values = ReadonlyMap<string, readonly string[]>;

/** The values that words are compared with. */
export async function valuesHere(context: ParserContext): Promise<Values> {
  const statuses = [...new Set((await context.statuses()).map(({ name }) => name))];
  const others = await Promise.all(
    namedFields.map(async (field) => [field, await context.valuesOf(field)] as const),
  );
  return new Map([['status', statuses], ...others]);
}

/** The only name that a text means, whatever its case, its number and its blanks. */
function nameMeant(text: string, names: readonly string[]): string | null {
  const wanted = singulars(folded(text));
  for (const one of wanted) {
    const name = foldedNames(names).get(one);
    if (name !== undefined) return name;
  }
  return null;
}

/** The status with a name, or the only status with a word in its name: `review` is In Review. */
export function statusMeant(text: string, statuses: readonly string[]): string | null {
  const exact = nameMeant(text, statuses);
  if (exact !== null) return exact;
  const wanted = singulars(folded(text));
  if (folded(text).length < MIN_LETTERS) return null;
  const parts = statuses.filter((one) => one.split(/\s+/).some((word) => wanted.includes(folded(word))));
  return parts.length === 1 ? (parts[0] ?? null) : null;
}

const MIN_LETTERS = 5;

/** A value that names itself, in some words of a sentence. */
export function spotValue({ words, before, after }: Span, fields: Values): Slot | null {
  const text = typedText(words);
  const isQuoted = words.some((one) => one.isQuoted);
  const only = words.length === 1 ? (words[0]?.plain ?? '') : '';
  for (const [field, names] of fields) {
    const name = nameMeant(text, names);
    if (name === null) continue;
    const isNamed =
      isQuoted || (field === 'status' && /^(?:in|into|status|left|entered|reached)$/.test(before));
    if (everydayValues.has(only) && !isNamed) continue;
    if (field === 'resolution' && !isQuoted) continue;
    if (fillers.has(only) && !isNamed) continue;
    return { kind: 'value', field, value: name, operator: '=' };
  }
  if (isQuoted || only === '' || fillers.has(only) || everydayValues.has(only)) return null;
  const isPlace =
    /^(?:in|of|to|from|for|into|through|the|a|our|do|did|are|is|per|median|average|avg|code|peer|p\d+)$/.test(
      before,
    ) || /^(?:times?|take|takes|took)$/.test(after);
  const status = isPlace ? statusMeant(only, fields.get('status') ?? []) : null;
  return status === null ? null : { kind: 'value', field: 'status', value: status, operator: '=' };
}

/** A field and its value: `label checkout`, `component is Payments`, `Team Payments`. */
export async function spotField(
  { words, before, earlier }: Span,
  context: ParserContext,
  fields: Values,
): Promise<Slot | null> {
  const [first, ...others] = words;
  if (first === undefined || others.length === 0) return null;
  const behind = spotNamed(words, fields);
  if (behind !== null || first.isQuoted) return behind;
  const left = /^(?:is|=|:|of|called|named)$/.test(others[0]?.plain ?? '') ? others.slice(1) : others;
  const text = typedText(left);
  if (text === '' || (left.length === 1 && fillers.has(left[0]?.plain ?? '') && left[0]?.isQuoted !== true))
    return null;
  const known = fieldWords.get(first.plain);
  if (known === 'labels') {
    // `without a label closed in October` has none.
    const isVerb =
      [before, earlier].some(isNegator) && phrases.some(({ pattern }) => pattern.test(textOf(left)));
    return left.length === 1 && !isVerb ? valueSlot(known, text) : null;
  }
  const isOwn =
    known === undefined &&
    !fillers.has(first.plain) &&
    !/^(?:project|sprint|key|created|resolved|updated)$/.test(first.plain) &&
    !left.some(({ source }) => /^[@<]/.test(source)) &&
    (await context.isField(first.source));
  const isTeam = /^(?:team|squad|group)$/.test(first.plain);
  if (isTeam && !isOwn) {
    const name = nameMeant(text, fields.get('component') ?? []);
    return name === null ? null : valueSlot('component', name);
  }
  const field = known ?? (isOwn ? first.source : null);
  if (field === null) return null;
  const listed = fields.get(field);
  const value = listed === undefined ? text : nameMeant(text, listed);
  const isFine = value !== null && (await context.isQuery(`${fieldName(field)} = ${asLiteral(value)}`));
  return isFine && value !== null ? valueSlot(field, value) : null;
}

/** A value before its field: `payments component`. */
function spotNamed(words: readonly Token[], fields: Values): Slot | null {
  const field = fieldWords.get(words.at(-1)?.plain ?? '') ?? '';
  const value = nameMeant(typedText(words.slice(0, -1)), fields.get(field) ?? []);
  return value === null ? null : valueSlot(field, value);
}

/** A value that is said with its field: a high priority is at least that. */
function valueSlot(field: string, value: string): Slot {
  const [, high, low] = (field === 'priority' && /^(?:(high)|(low))$/i.exec(value)) || [];
  return { kind: 'value', field, value, operator: high ? '>=' : low ? '<=' : '=' };
}

/** A field as a query names it. */
export function fieldName(field: string): string {
  return /^[a-z]\w*$/i.test(field) ? field : asLiteral(field);
}

/** A value as a query names it. */
export function valueName(value: string): string {
  return /^[a-z][\w.]*$/i.test(value) &&
    !/^(?:and|or|not|in|is|was|on|to|from|by|empty|null|before|after|during|order|changed)$/i.test(value)
    ? value
    : asLiteral(value);
}
