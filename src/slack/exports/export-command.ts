import { limits } from '../../block-kit/limits.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn, plainSection, section } from '../../block-kit/mrkdwn.ts';
import { AppError, badRequestAs } from '../../model/error.ts';
import {
  type Format,
  formats,
  oneOf,
  plainText,
  sourceOf,
  type Unit,
  units,
  type Word,
  wordsOf,
} from '../../questions/parse/typed-words.ts';
import type { Person, SlackAction, SlashCommand, SlashInvocation } from '../app/handler-types.ts';
import { button, notice } from '../app/message-texts.ts';
import type { ExportParts } from '../app/parts.ts';
import { typedSentences } from '../app/show-failure.ts';
import { readQuestion } from '../ask/read-question.ts';
import { resolvePrincipal } from '../people/principals.ts';
import { directPlace } from './request-export.ts';
import { exportQuestion } from './week-figures.ts';

/** `/tis export`: what any question is about as a file, posted where it was asked for, or to the person alone. */
export const tisExport: SlashCommand<ExportParts> = {
  root: '/tis',
  word: 'export',
  usage: '/tis export [xlsx|xls|csv|json] QUESTION [in UNIT] [to me]',
  summary: 'Any question as a file, posted in this channel or sent to you',
  examples: ['/tis export csv WEB last 30 days', '/tis export weekly WEB', '/tis export WEB to me'],
  details:
    'QUESTION is what comes after `/tis`, such as `WEB last 30 days by assignee`; the words can be in any order. Without a format it is an Excel file (xlsx). UNIT is hours, days, minutes or seconds.',
  answer: (asked, parts) => answerExport(asked.text, asked, parts),
};

/** *Send to me* below the refusal of a file that is not for a channel; its value is what was typed. */
export const sendExport: SlackAction<ExportParts> = {
  id: 'send-export',
  run: (click, parts) => answerExport(`${click.value} to me`, click, parts),
};

async function answerExport(
  typed: string,
  asked: Person & Pick<SlashInvocation, 'place'>,
  parts: ExportParts,
): Promise<readonly Message[]> {
  const { format, unit, toMe, question: line } = readExportWords(typed);
  const place = toMe ? directPlace(asked) : asked.place;
  try {
    if (line === '') throw badRequestAs('missing-value', 'Which issues would you like as a file?');
    const { account } = asked.principal;
    const { question } = await readQuestion(line, account, asked.place, parts);
    const file = { format: format ?? 'xlsx', unit: unit ?? question.unit ?? 'hours' } as const;
    const posted = await exportQuestion({ ...file, question, asOf: null }, asked, place, parts);
    return posted.isThere && !toMe ? [] : [posted.message];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.reason === 'not-for-this-channel') return [withSendToMe(error, typed)];
    if (!['bad-request', 'not-found'].includes(error.code)) throw error;
    return [await withExamples(typedSentences(error), asked, parts)];
  }
}

function withSendToMe(error: AppError, typed: string): Message {
  const refused = notice(error.message, ...error.details);
  // A button carries 2,000 characters.
  if (typed.length > limits.button.value) return refused;
  const elements = [button('Send to me', 'send-export', typed)];
  return { ...refused, blocks: [...refused.blocks, { type: 'actions', elements }] };
}

/** What was wrong, and lines with a project and an issue that the person can see. */
async function withExamples(
  sentences: readonly string[],
  { principal: { account } }: Pick<Person, 'principal'>,
  parts: ExportParts,
): Promise<Message> {
  const [key] = await parts.reporting.exampleKeys(await resolvePrincipal(account, parts), 1);
  const said = sentences.join(' ');
  if (key === undefined) return { text: escapeMrkdwn(said), blocks: [plainSection(said)] };
  const project = key.slice(0, key.lastIndexOf('-'));
  const lines = [`${project} last 30 days`, `weekly ${project}`, `csv ${key} in minutes`].map(
    (line) => `/tis export ${line}`,
  );
  return {
    text: `${escapeMrkdwn(said)} Try \`${lines.map(escapeMrkdwn).join('`, `')}\`.`,
    blocks: [
      plainSection(said),
      ...lines.map((line) => ({
        ...section(`\`${escapeMrkdwn(line)}\``),
        accessory: button('Run', 'run-line', line),
      })),
    ],
  };
}

/** An export as it was typed: what its file is like, where it goes, and the question that it answers. */
interface ExportWords {
  /** Null: none was named. */
  readonly format: Format | null;
  readonly unit: Unit | null;
  readonly toMe: boolean;
  /** As it would be typed after `/tis`. */
  readonly question: string;
}

/** After these a word is a value of a query, or a name. */
const goesOn = /(?:[=~<>!(,]|^(?:and|or|not|in|is|was|by|project|sprint|filter|assignee|jql))$/i;

/** Reads `[FORMAT] QUESTION [FORMAT] [in UNIT] [to me]`; what belongs to the file can be anywhere outside of quotes. */
export function readExportWords(typed: string): ExportWords {
  const { found: me, rest: first } = take(wordsOf(typed), 2, (text) => text === 'to me' || null);
  const { found: unit, rest: second } = take(first, 2, (text) => oneOf(units, /^in (.+)$/.exec(text)?.[1]));
  const { found: format, rest } = take(second, 1, (text) => oneOf(formats, text));
  const last = rest.at(-1)?.plain.toLowerCase();
  const words = format !== null && last === 'as' ? rest.slice(0, -1) : rest;
  return { format, unit, toMe: me !== null, question: sourceOf(words) };
}

/** Takes the first so many words out that mean something. */
function take<Value>(
  words: readonly Word[],
  length: number,
  read: (text: string) => Value | null | undefined,
): { readonly found: Value | null; readonly rest: readonly Word[] } {
  for (let at = 0; at + length <= words.length; at += 1) {
    const found = read(plainText(words.slice(at, at + length)).toLowerCase());
    if (found !== null && found !== undefined && isFree(words.slice(0, at))) {
      return { found, rest: [...words.slice(0, at), ...words.slice(at + length)] };
    }
  }
  return { found: null, rest: words };
}

/** Whether what comes after these words belongs neither to a literal nor to a value of a query. */
function isFree(before: readonly Word[]): boolean {
  const quotes = plainText(before).split('"').length - 1;
  return quotes % 2 === 0 && !goesOn.test(before.at(-1)?.plain ?? '');
}
