import { AppError, badRequestAs } from '../../../model/error.ts';
import { listText, someOf } from '../../blocks/message.ts';
import { codeText, lineText } from '../../blocks/mrkdwn.ts';
import { editDistance, nearestOf } from '../grammar/names-meant.ts';
import type { ParserContext } from '../grammar/parser-context.ts';
import { areKeysWithEnd, readIssueKeys, slackMarks } from '../grammar/typed-words.ts';
import { type Composed, contentOf, type SentenceContent } from './compose.ts';
import {
  agingLine,
  compareLine,
  isOfTime,
  isSprintReport,
  issueLine,
  isWeekly,
  lacksSide,
  mineLine,
  periodOf,
  periodsLine,
  savedLine,
  sidesOf,
  sprintLine,
  stateOf,
  weeklyLine,
  withSelf,
} from './compose-kinds.ts';
import { isWholeWay, moveLine, ranksPeople, reportLine, wasLine, withoutRanking } from './compose-report.ts';
import { isNegator, turnsAround } from './negations.ts';
import { type Found, folded, foldedNames, MAX_TOKENS, type Token, tokensOf } from './sentence.ts';
import { spotAll } from './spot.ts';
import { valuesHere } from './spot-values.ts';
import { correctable, fillers } from './vocabulary.ts';

/** A sentence as a line after `/tis`, and which of its words that line leaves out. */
export interface Interpretation {
  readonly line: string;
  readonly leftover: readonly string[];
  /** Words of those, in lower case, that are known. */
  readonly unused: readonly string[];
  /** Words, in lower case, that say nothing of what is asked. */
  readonly fillers: readonly string[];
  /** Why some of those words cannot be used, where that is known. */
  readonly reason: string | null;
  /** Sentences (mrkdwn) about what was taken for granted. */
  readonly assumed: readonly string[];
}

/** Words that join parts of a sentence about an issue, and say nothing on their own; nor does a sign. */
const joining = /^(?:before|after|between|since|until|till|first|last|next|vs|not|[^\p{L}\p{N}]+)$/u;

/** Matches a query or a filter, which only the grammar can hold. */
const query = /^(?:jql|filter|saved)\b|[=~<>]|\bin\s*\(/i;
/** `> 5 days` is no comparison of a query. */
const limits = /> ?(?=\d{1,4} ?(?:h|d|w|m)\w* ?(?:$|[^\w\s=]|\w))/g;

/**
 * The line that a sentence in plain words means: everything in it that is known is put into the order of the grammar, and
 * words that are not known are left over. Null where it says nothing that can be asked.
 */
export async function interpret(text: string, here: ParserContext): Promise<Interpretation | null> {
  const typed = tokensOf(text);
  const context = remembered(here);
  const isOther =
    query.test(text.replaceAll(slackMarks, '').replaceAll(limits, '')) || areKeysWithEnd(text.split(/\s+/));
  if (typed.length === 0 || typed.length > MAX_TOKENS || isOther) return null;
  const first = await composed(typed, context);
  if (first.unknown.length === 0) return first.interpretation;
  const { tokens, corrections } = await corrected(typed, first.unknown, context);
  if (corrections.length === 0) return first.interpretation;
  const second = await composed(tokens, context);
  if (second.interpretation === null || second.unknown.length >= first.unknown.length)
    return first.interpretation;
  return { ...second.interpretation, assumed: [...corrections, ...second.interpretation.assumed] };
}

async function composed(
  tokens: readonly Token[],
  context: ParserContext,
): Promise<{ readonly interpretation: Interpretation | null; readonly unknown: readonly number[] }> {
  const sentence = await spotAll(tokens, context);
  const unknown = sentence.taken.flatMap((isTaken, at) => (isTaken ? [] : [at]));
  if (sentence.found.length === 0) return { interpretation: null, unknown };
  const { line, unused, assumed, reason = null } = await composeLine(contentOf(sentence));
  if (line === '') return { interpretation: null, unknown };
  const left = new Set([...unknown, ...indexesOf(unused)]);
  const leftover = phrasesOf(tokens, left);
  const used = new Set(indexesOf(sentence.found));
  const ignored = tokens.flatMap(({ plain }, at) => (used.has(at) || left.has(at) ? [] : [plain]));
  // About an issue there is an answer, which says what it leaves out, unless that turns something around.
  const isIssue =
    sentence.found.some(({ slot }) => slot.kind === 'key') &&
    !unknown.some((at) => isNegator(tokens[at]?.plain ?? '') && tokens[at]?.plain !== 'but');
  const isJoining = (at: number) => unknown.includes(at) && joining.test(tokens[at]?.plain ?? '');
  const omitted = isIssue ? phrasesOf(tokens, new Set([...left].filter((at) => !isJoining(at)))) : [];
  const omission = omitted.length === 0 ? [] : [`I left out ${listText(omitted.map(codeText))}.`];
  return {
    interpretation: {
      line,
      leftover: isIssue ? [] : leftover,
      unused: indexesOf(unused).map((at) => tokens[at]?.plain ?? ''),
      reason,
      fillers: ignored,
      assumed: [...sentence.assumed, ...assumed, ...omission],
    },
    unknown: isIssue ? [] : unknown,
  };
}

async function composeLine(content: SentenceContent): Promise<Composed> {
  if (content.has('key')) return issueLine(content);
  if (content.has('saved')) return savedLine(content);
  if (ranksPeople(content)) return withoutRanking(content);
  const statuses = await content.context.statuses();
  const state = stateOf(content, statuses);
  if (content.asks('mine'))
    return isOfTime(content) ? reportLine(await withSelf(content), false) : mineLine(content);
  const sides = sidesOf(content);
  if (sides !== null) return compareLine(content, sides);
  const period = periodOf(content);
  if (period !== null) return periodsLine(content, period);
  if (lacksSide(content)) return { ...periodsLine(content, 'month'), unused: content.all };
  if (isSprintReport(content)) return sprintLine(content);
  const move = moveLine(content, statuses);
  if (move !== null) return move;
  const was = wasLine(content, statuses);
  if (state !== null) return agingLine(content, state);
  if (was !== null) return was;
  if (isWeekly(content)) return weeklyLine(content);
  return reportLine(content, isWholeWay(content, statuses));
}

/** The same context, which asks for each name and each list once, however many words of a sentence are compared with it. */
function remembered(context: ParserContext): ParserContext {
  return {
    ...context,
    isProject: once(context.isProject),
    isField: once(context.isField),
    isQuery: once(context.isQuery),
    valuesOf: once(context.valuesOf),
    statuses: once(context.statuses),
    people: once(context.people),
    sprintNames: once(context.sprintNames),
    parameterSets: once(context.parameterSets),
  };
}

function once<Value>(find: (name: string) => Promise<Value>): (name?: string) => Promise<Value> {
  const found = new Map<string, Promise<Value>>();
  return (name = '') => {
    const known = found.get(name) ?? find(name);
    found.set(name, known);
    return known;
  };
}

/** The words at some indexes as they are said: those beside each other together, a number with what is beside it. */
function phrasesOf(tokens: readonly Token[], indexes: ReadonlySet<number>): readonly string[] {
  const isNumber = (at: number) => indexes.has(at) && /^\d/.test(tokens[at]?.plain ?? '');
  const isShown = tokens.map(
    ({ plain }, at) => indexes.has(at) || (fillers.has(plain) && (isNumber(at - 1) || isNumber(at + 1))),
  );
  const groups: string[][] = [];
  for (const [at, { source }] of tokens.entries()) {
    if (isShown[at] !== true) continue;
    if (isShown[at - 1] === true) groups.at(-1)?.push(source);
    else groups.push([source]);
  }
  return groups.map((words) => words.join(' '));
}

function indexesOf(found: readonly Found[]): readonly number[] {
  return found.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i));
}

const MIN_LETTERS = 3;
/** The words that a word of three letters can be corrected to: short words are near too many. */
const shortWords = ['last', 'this', 'since', 'days', 'weeks'];

/** The same words with those misspelt that are near one of ours, and what was taken for what (mrkdwn). */
async function corrected(
  tokens: readonly Token[],
  unknown: readonly number[],
  context: ParserContext,
): Promise<{ readonly tokens: readonly Token[]; readonly corrections: readonly string[] }> {
  const statuses = (await context.statuses()).map(({ name }) => name);
  const types = await context.valuesOf('issuetype');
  const values = [...(await valuesHere(context)).values()];
  const projects = await context.valuesOf('project');
  const corrections: string[] = [];
  const all = tokens.map((token, at) => {
    const { source, plain, isQuoted } = token;
    const isKnown = values.some((names) => foldedNames(names).has(folded(plain)));
    if (!unknown.includes(at) || isQuoted || isKnown || turnsAround([plain])) return token;
    const isKey = /^[A-Z]{3,}$/.test(source);
    if (plain.length < MIN_LETTERS && !isKey) return token;
    const isShort = plain.length === MIN_LETTERS && !isKey;
    const near = nearestOf(
      plain,
      isKey ? projects : isShort ? shortWords : [...correctable, ...statuses, ...types],
    );
    if (near === null || (plain.length < 6 && editDistance(plain, near.toLowerCase()) > 1 && !isKey))
      return token;
    corrections.push(`I took ${codeText(source)} for ${codeText(near)}.`);
    return { source: near, plain: near.toLowerCase(), isQuoted: false };
  });
  return { tokens: all, corrections };
}

const plainTitle = /^(?:weekly|aging|mine|sprint)(?: (?!jql|assignee)\S+)?(?: (?:this|last) week)?$/;

/** The sentences (mrkdwn) that say how a question in plain words was read; null where its answer does. */
export function readAs({ line, assumed }: Interpretation): string | null {
  if (assumed.length === 0 && plainTitle.test(line)) return null;
  const { keys, others } = readIssueKeys(line.split(' '));
  const lead =
    others.length === 0
      ? `Showing ${someOf(keys)}, the ${keys.length === 1 ? 'issue' : 'issues'} in your text.`
      : `I read this as ${lineText(`/tis ${line}`)}.`;
  return [lead, ...assumed].join(' ');
}

/** True if the grammar names a word that the line leaves out as if it said nothing: `in weeks` is no calendar. */
export function overlooks(byGrammar: AppError, { fillers: ignored }: Interpretation): boolean {
  const { kind, value = '' } = byGrammar.data;
  const words = String(value).toLowerCase().split(/\s+/);
  const isNamed = kind === 'calendar' || kind === 'field or report' || (kind === undefined && value !== '');
  return isNamed && words.length <= MAX_NAMED && words.every((word) => ignored.includes(word));
}

const MAX_NAMED = 2;

/**
 * Refuses words that are not known, with the line that works without them, unless it would say the opposite; what is wrong
 * with one of them is said.
 */
export function unusedWordsError(
  byGrammar: AppError,
  { line, leftover, unused, reason }: Interpretation,
): AppError {
  const near = turnsAround(leftover) ? { kind: 'negation' } : { line };
  if (reason !== null && leftover.length === 1 && !turnsAround(leftover))
    return badRequestAs('invalid-value', reason, near);
  const { kind, value } = byGrammar.data;
  const named = String(value ?? '')
    .toLowerCase()
    .split(/\s+/);
  const left = leftover.flatMap((one) => one.toLowerCase().split(/\s+/));
  // More words are no name that was misspelt, but the rest of a sentence, and those that are known are none either.
  const isName =
    (kind !== 'calendar' || named.length <= MAX_NAMED) &&
    !named.some((word) => unused.includes(word)) &&
    readIssueKeys(named).keys.length === 0;
  const isKnown =
    kind !== 'words' && isName && (value === undefined || left.some((one) => named.includes(one)));
  if (isKnown) return withoutOpposite(byGrammar, { line, leftover });
  const [only = '', ...others] = leftover;
  if (others.length === 0 && /^[A-Z][A-Z0-9_]+$/.test(only)) {
    return badRequestAs('invalid-value', `I couldn't find a project "${only}".`, near);
  }
  const words = leftover.map((one) => `"${one}"`).join(' and ');
  return badRequestAs('invalid-value', `I don't understand ${words} here.`, near);
}

/** The same error with the line of a sentence, unless it would say the opposite. */
export function withoutOpposite(error: AppError, of: Pick<Interpretation, 'line' | 'leftover'>): AppError {
  return turnsAround(of.leftover) ? error : withLine(error, of.line);
}

/** The same error with a line after `/tis` that is near. */
export function withLine({ reason, message, details, fields, data }: AppError, line: string): AppError {
  return new AppError(reason, message, details, { fields, data: { ...data, line } });
}
