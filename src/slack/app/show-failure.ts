import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { codeText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn, plainSection, section } from '../../block-kit/mrkdwn.ts';
import { AppError, failureText, sentencesOf } from '../../model/error.ts';
import type { Selection } from '../../model/request.ts';
import { asLiteral } from '../../questions/parse/typed-words.ts';
import { notice } from './message-texts.ts';
import { tryAgain } from './slack-refusal.ts';

/**
 * A failure as the principal reads it; a bug of ours is logged under the reference they read, with what `failed`. A failure
 * of Slack is none of ours.
 */
export function failureMessage(
  error: unknown,
  failed: Readonly<Record<string, string>>,
  log: Logger,
): Message {
  const reference = randomUUID();
  const told = tryAgain(error);
  if (!(told instanceof AppError)) log.error({ err: error, reference, ...failed }, 'answering failed');
  else if (told !== error) log.warn({ err: error, ...failed }, 'answering failed because Slack did');
  return errorMessage(told, reference);
}

/** A failure as the principal reads it; `reference` is how a bug is found again in the log. */
function errorMessage(error: unknown, reference: string): Message {
  if (!(error instanceof AppError)) {
    return notice(
      `Something went wrong on our side; the log has it under \`${reference}\`. Please try again.`,
    );
  }
  const said = escapeMrkdwn(failureText(error));
  return notice(said, ...(error.reason === 'service-too-old' ? [whatWorks] : []));
}

/** What can be asked of a register that tells no lists. */
const whatWorks =
  'What it does tell: `/delegates @PERSON [CATEGORY] [on DAY TIME]` and `/delegates for @PERSON [CATEGORY] [on DAY TIME]`.';

/**
 * What was wrong, and what to do. The sentences repeat what somebody typed and what a query may hold: the signs of JQL
 * would be read as marks, so they stand as plain text. Expects the advice to be escaped.
 */
export function refusal(sentences: readonly string[], advice: string): Message {
  const text = sentences.join(' ');
  return { text: `${escapeMrkdwn(text)} ${advice}`, blocks: [plainSection(text), section(advice)] };
}

/** What somebody reads who typed more behind a command than it takes. */
export function usageRefusal(typed: string, usage: string): Message {
  return notice(`I do not know what ${codeText(typed)} means here. Try: \`${usage}\`.`);
}

/** How this door calls what the reporting port names as programs do. */
const fieldWords: ReadonlyMap<string, string> = new Map([
  ['customjql', 'JQL'],
  ['projectKey', 'project'],
  ['jqlFilterID', 'filter'],
  ['sprintID', 'sprint'],
  ['columnsBy', 'The report'],
  ['groupByFields', 'The field'],
  ['issueKey', 'The issue'],
]);

/** What a refusal says in the words of a command; `selection` is what was read of the words that it is about. */
export function typedSentences(error: AppError, selection: Selection | null = null): readonly string[] {
  const { kind, value, allowed } = error.data;
  // What was typed is a name, and only the port asks for it by a query.
  if (selection?.by === 'jql' && kind !== undefined && value !== undefined && allowed !== undefined) {
    const isAllOfIt = selection.jql === `${kind} = ${asLiteral(String(value))}`;
    if (isAllOfIt) return [`I know no ${kind} '${value}'. Try: ${allowed}.`];
  }
  if (error.parts.length === 0) return sentencesOf(error);
  return error.parts.map((part) =>
    typeof part === 'string' ? part : `${fieldWords.get(part.field) ?? part.field}${part.problem}`,
  );
}
