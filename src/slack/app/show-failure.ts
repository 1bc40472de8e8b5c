import type { Button } from '@slack/types';
import type { Logger } from 'pino';
import { asLiteral } from '../../api/reporting/query-text.ts';
import { failureReference } from '../../concurrency/request-scope.ts';
import {
  AppError,
  type Detail,
  type ErrorCode,
  type ErrorReason,
  failureText,
  sentencesOf,
} from '../../model/error.ts';
import type { Selection } from '../../model/request.ts';
import { shorten } from '../../output/readable-text.ts';
import { correctedLines, didYouMean } from '../ask/grammar/names-meant.ts';
import { limits } from '../blocks/limits.ts';
import type { Message } from '../blocks/message.ts';
import {
  actions,
  button,
  codeText,
  escapeMrkdwn,
  lineText,
  plainSection,
  section,
} from '../blocks/mrkdwn.ts';
import { notice } from './message-texts.ts';
import { tryAgain } from './slack-refusal.ts';

/** Ends the answer with a message to the person, such as how to link their account; it is no failure. */
export class Refused extends Error {
  readonly reply: Message;

  constructor(reply: Message) {
    super(reply.text);
    this.reply = reply;
  }
}

/** The value of a promise; `fallback` where it fails with one of these codes or reasons (none: with any AppError). */
export async function orElse<Value, Fallback>(
  work: Promise<Value>,
  fallback: (error: AppError) => Fallback,
  ...kinds: readonly (ErrorCode | ErrorReason)[]
): Promise<Value | Fallback> {
  return work.catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    if (kinds.length > 0 && !kinds.includes(error.code) && !kinds.includes(error.reason)) throw error;
    return fallback(error);
  });
}

/**
 * A failure as the user reads it. A bug of ours is logged under the reference they read, with what `failed`; a failure
 * of Slack is not a bug.
 */
export function failureMessage(
  error: unknown,
  failed: Readonly<Record<string, string>>,
  log: Logger,
): Message {
  if (error instanceof Refused) return error.reply;
  const shown = tryAgain(error);
  if (!(shown instanceof AppError)) {
    const reference = failureReference();
    log.error({ err: error, reference, ...failed }, 'answering failed');
    return notice(
      `Something went wrong on our side; the log has it under \`${reference}\`. Please try again.`,
    );
  }
  if (shown !== error) log.warn({ err: error, ...failed }, 'answering failed because Slack did');
  const text = escapeMrkdwn(slackText(shown));
  return notice(text, ...(shown.reason === 'service-too-old' ? [whatWorks] : []));
}

/** The sentences of an error in one text, with what helps in Slack. */
export function slackText(error: AppError): string {
  return isUnlinked(error) ? unlinkedText : failureText(error);
}

/** Returns true where the account that asks is not a user of the tracker. */
function isUnlinked({ reason, data }: AppError): boolean {
  return reason === 'not-in-tracker' && data.kind === 'account';
}

const unlinkedText =
  "Your Slack account isn't linked to a Jira user. Link it with `/tis link` to see what is assigned to you.";

const whatWorks =
  'You can use: `/delegates @PERSON [CATEGORY] [on DAY TIME]` and `/delegates for @PERSON [CATEGORY] [on DAY TIME]`.';

/** A sentence on what to do instead (mrkdwn, may be empty), and whole lines that work here: `/tis weekly WEB`. */
export interface Advice {
  readonly text: string;
  readonly lines: readonly string[];
  /** The words of the buttons, in the order of the lines; absent: the lines themselves. */
  readonly labels?: readonly string[];
}

const MAX_BUTTONS = 3;

/** A button that runs a line; `at` makes its id unique in its block. */
export function runButton(line: string, text = line, at = 0): Button {
  return button(shorten(text, limits.button.text), `run-line:${at}`, line);
}

/** The message with what to do instead below it, and a button for each line of that. */
export function withAdvice({ text, blocks }: Message, advice: Advice): Message {
  const lines = advice.lines.slice(0, MAX_BUTTONS);
  const shown = advice.text === '' ? [] : [advice.text];
  const buttons = lines.map((line, at) => runButton(line, advice.labels?.[at] ?? line, at));
  const inWords = lines.length === 0 ? [] : [`You can run ${lines.map(lineText).join(' or ')}.`];
  return {
    text: [text, ...shown, ...inWords].join(' '),
    blocks: [
      ...blocks,
      ...shown.map((line) => section(line)),
      ...(buttons.length === 0 ? [] : [actions(...buttons)]),
    ],
  };
}

/**
 * A message that something was not understood, with advice. The sentences repeat what was typed and what a query holds:
 * the signs of JQL would be read as marks, so they are plain text.
 */
export function refusal(sentences: readonly string[], advice: Advice | string): Message {
  const text = sentences.map(capitalized).join(' ');
  return withAdvice(
    { text: escapeMrkdwn(text), blocks: [plainSection(text)] },
    typeof advice === 'string' ? { text: advice, lines: [] } : advice,
  );
}

/**
 * The same of what was wrong in a typed line: first come lines near it that work, by default with the word in it that was
 * likely meant.
 */
export function lineRefusal(
  { data }: Pick<AppError, 'data'>,
  line: string,
  sentences: readonly string[],
  advice: Advice,
  near: readonly string[] = correctedLines(line, data),
): Message {
  const { meant = [] } = data;
  const fitting = near.filter((one) => one.length <= limits.button.value && one !== line.trim());
  const lines = [...new Set([...fitting, ...advice.lines])].filter((one) => one !== line.trim());
  const [first] = fitting;
  const isMeant = meant.length > 0 || 'line' in data;
  if (first === undefined || !isMeant) return refusal(sentences, { ...advice, lines });
  // The line says more than the word in it.
  const others = sentences.filter((one) => !didYouMean(meant).includes(one));
  return refusal(others, { text: `Did you mean ${lineText(first)}? ${advice.text}`.trim(), lines });
}

/** The usage of a command without what is optional. */
export function withoutOptions(usage: string): string {
  return usage.replace(/\s*\[.*$/s, '');
}

/** For a command with more after it than it takes; its usage without what is optional is a line that works. */
export function usageRefusal(typed: string, usage: string): Message {
  const line = withoutOptions(usage);
  const message = notice(`I don't understand ${codeText(typed)} after \`${line}\`.`);
  return withAdvice(message, { text: '', lines: [line] });
}

/** With a capital at its start, as a sentence has it. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const fieldWords: ReadonlyMap<string, string> = new Map([
  ['customjql', 'JQL'],
  ['projectKey', 'Project'],
  ['jqlFilterID', 'Filter'],
  ['sprintID', 'Sprint'],
  ['columnsBy', 'The report'],
  ['groupByFields', 'The field'],
  ['issueKey', 'The issue'],
]);

/** The sentences of a refusal in the words of a command; `selection` is the one read from the words it is about. */
export function typedSentences(error: AppError, selection: Selection | null = null): readonly string[] {
  if (isUnlinked(error)) return [unlinkedText];
  const { kind, value, allowed } = error.data;
  // The typed text is a name, and only the port looks it up by a query.
  if (selection?.by === 'jql' && kind !== undefined && value !== undefined && allowed !== undefined) {
    const isAllOfIt = selection.jql === `${kind} = ${asLiteral(String(value))}`;
    if (isAllOfIt) return [`I can't find the ${kind} "${value}". Try: ${allowed}.`];
  }
  return error.parts.length === 0 ? sentencesOf(error) : error.parts.map(typedSentence);
}

/** A detail of a refusal as a sentence in those words. */
export function typedSentence(detail: Detail): string {
  return capitalized(
    typeof detail === 'string' ? detail : `${fieldWords.get(detail.field) ?? detail.field}${detail.problem}`,
  );
}
