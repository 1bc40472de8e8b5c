import { type Found, type Slot, type Token, using } from './sentence.ts';
import { wordSet } from './vocabulary.ts';

const negators = wordSet(
  'without not no except excluding exclude excludes minus ignoring ignore non nor omit omitting but besides apart aside isnt arent wasnt werent',
);

const links =
  /^(?:the|a|an|any|all|in|of|for|from|with|type|status|label|component|project|sprint|counting|those|ones?)$/;
/** After what excludes, the things themselves may be named once more: `except issues in WEB`. */
const things = /^(?:issues?|tickets?|items?|work|cards?|projects?)$/;
const excludes =
  /^(?:but|besides|except|excluding|excludes?|minus|ignoring|ignore|omit|omitting|than|apart|aside)$/;
/** Verbs of people: `not assigned to bob`, `not closed by bob`. */
export const deeds =
  /^(?:assigned|owned|created|reported|opened|filed|raised|finished|closed|resolved|completed|done|fixed|handled)$/;

/** Before these words `but` turns nothing around: `but only bugs` are the bugs, `but reported by carl` is one thing more. */
const goingOn = /^(?:(?:only|just) |(?:(?:is|are|was|were) )?(\S+) (?:by|to) )/;
/** After them it does: `everything but reported by carl`. */
const whole = /^(?:all|any|every|everything|anything|nothing|none)$/;

/** True if a `but` goes on with what is wanted. */
function goesOn(at: number, plain: (at: number) => string): boolean {
  const [narrow, deed] = goingOn.exec([1, 2, 3, 4].map((by) => plain(at + by)).join(' ')) ?? [];
  return narrow !== undefined && (deed === undefined || (deeds.test(deed) && !whole.test(plain(at - 1))));
}

/** True if a word turns around what is beside it, and is no question: `isn't it done`. */
export function isNegator(word: string): boolean {
  return negators.has(word) && !word.endsWith('nt');
}

/** Words that deny and cannot be turned into a condition. */
const denials =
  /^(?:never|none|nobody|noone|nothing|neither|(?:is|are|was|were|do|does|did|have|has|had|wo|ca|could|should|would)nt)$/;

/** True if words say that something is not so: a line that leaves them out would say the opposite. */
export function turnsAround(words: readonly string[]): boolean {
  return words
    .flatMap((one) => one.toLowerCase().replaceAll(/['’]/g, '').split(/\s+/))
    .some((word) => negators.has(word) || denials.test(word) || word === 'other');
}

/**
 * Turns around the conditions after `without`, `but` or `not`, and what is listed with it: the words that do so are taken. A
 * negator of anything else is left over.
 */
export function takeNegators(found: Found[], taken: boolean[], tokens: readonly Token[]): void {
  const plain = (at: number) => tokens[at]?.plain ?? '';
  for (const at of tokens.keys()) if (plain(at) === 'but' && goesOn(at, plain)) taken[at] = true;
  const order = [...found.entries()].toSorted(([, a], [, b]) => a.start - b.start);
  let last: Found | null = null;
  for (const [at, one] of order) {
    const negated = negatedOf(one);
    if (negated === null) continue;
    const listed = last !== null && isListed(last, one, plain);
    const from = listed ? (last?.end ?? one.start) : negatorBefore(one, taken, plain);
    if (from === null) continue;
    for (let index = from; index < one.start; index += 1) if (!deeds.test(plain(index))) taken[index] = true;
    found[at] = negated;
    last = negated;
  }
}

/** The same with the opposite said; null for what a line cannot turn around. */
function negatedOf({ slot, start, end }: Found): Found | null {
  if (slot.kind === 'value')
    return slot.operator === '=' ? { slot: { ...slot, operator: '!=' }, start, end } : null;
  if (slot.kind === 'person' || slot.kind === 'project' || slot.kind === 'sprint')
    return { slot: { ...slot, isNot: true }, start, end };
  return null;
}

/** The subject of a slot: a line can have either of two slots with one subject. */
function aboutOf(slot: Slot): string {
  if (slot.kind === 'value' || slot.kind === 'person') return `${slot.kind} ${slot.field}`;
  if (slot.kind === 'clause') return slot.jql;
  return slot.kind === 'intent' ? slot.intent.replace('resolved', 'finished') : slot.kind;
}

const narrows = using(
  ...(['value', 'person', 'project', 'sprint', 'sprintWord', 'clause', 'change'] as const),
  ...(['aging', 'mine', 'finished', 'resolved', 'open', 'started', 'waiting', 'unassigned'] as const),
);

/** True if an `or` is between two conditions that a line can only join by AND: `in QA or assigned to bob`. */
export function joinsBoth(at: number, found: readonly Found[]): boolean {
  const isTwo = (some: readonly Found[]) => {
    const sorted = some.toSorted((a, b) => a.start - b.start);
    const [one, other] = [sorted.findLast(({ end }) => end <= at), sorted.find(({ start }) => start > at)];
    return one !== undefined && other !== undefined && aboutOf(one.slot) !== aboutOf(other.slot);
  };
  return isTwo(found) && isTwo(found.filter(({ slot }) => narrows(slot)));
}

/** `bob and carl`, `bugs or the stories`: two of one kind, with nothing but that between them. */
function isListed(last: Found, { slot, start }: Found, plain: (at: number) => string): boolean {
  const between = Array.from({ length: start - last.end }, (_, i) => plain(last.end + i));
  return (
    aboutOf(last.slot) === aboutOf(slot) &&
    between.every((word) => /^(?:and|or|nor|the|in|by|from)$/.test(word))
  );
}

/** The index of the first word of a negation; null where there is none. */
function negatorBefore(
  { slot, start }: Found,
  taken: readonly boolean[],
  plain: (at: number) => string,
): number | null {
  const isFree = (at: number) => at >= 0 && taken[at] !== true;
  let at = start - 1;
  if (slot.kind === 'person' && /^(?:by|to)$/.test(plain(at)) && isFree(at)) {
    at -= 1;
    if (deeds.test(plain(at)) && isFree(at)) at -= 1;
  }
  const nearest = at;
  while (isFree(at) && links.test(plain(at))) at -= 1;
  let further = nearest;
  while (isFree(further) && (links.test(plain(further)) || things.test(plain(further)))) further -= 1;
  if (isFree(further) && excludes.test(plain(further))) at = further;
  if (!isFree(at)) return null;
  const word = plain(at);
  if (word === 'than') {
    const other = [at - 1, at - 2].find((index) => plain(index) === 'other');
    return other === undefined ? null : other;
  }
  if (!negators.has(word)) return null;
  // `nothing but bugs` are bugs, and so are `no stories but bugs`: such words are refused.
  if (word === 'but') {
    const before = Array.from({ length: at }, (_, i) => plain(i));
    return before.some((one) => negators.has(one) || denials.test(one) || one === 'last') ? null : at;
  }
  // `but not bugs` excludes them once.
  return isFree(at - 1) && plain(at - 1) === 'but' ? at - 1 : at;
}
