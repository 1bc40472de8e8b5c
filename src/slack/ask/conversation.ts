import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt';
import type { Logger } from 'pino';
import type { Message } from '../../block-kit/message.ts';
import { unescapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { AppError } from '../../model/error.ts';
import { principalIn } from '../../model/principal.ts';
import { filterKinds } from '../../questions/parse/parser-context.ts';
import { readIssueKeys } from '../../questions/parse/typed-words.ts';
import { answerLine } from '../app/answer-command.ts';
import { notifyCertainly } from '../app/direct-message.ts';
import type { Place, SlashInvocation } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import type { MessageParts, ReadingParts, SlackParts } from '../app/parts.ts';
import { postMessage } from '../app/post-message.ts';
import { failureMessage, withAdvice } from '../app/show-failure.ts';
import { linkLabels } from '../people/find-person.ts';
import { examplesFor } from './help.ts';
import { isQuestion } from './read-question.ts';

/** What somebody wrote to Dwell; `direct`: in their conversation with it, where nobody else reads. */
interface Heard {
  readonly account: string;
  readonly text: string;
  readonly ts: string;
  readonly place: Place;
  readonly direct: boolean;
}

type MessageEvent = SlackEventMiddlewareArgs<'message'>['event'];
type MentionEvent = SlackEventMiddlewareArgs<'app_mention'>['event'];

const SLACKBOT = 'USLACKBOT';
const MOST_REMEMBERED = 1_000;

/**
 * Answers who writes to Dwell directly, there, and who mentions it in a channel, for them alone: an issue key, or a
 * question as a command takes it; to anything else it says what it answers. Slack repeats events, which are answered once.
 */
export function answerMessage(parts: ReadingParts & MessageParts & Pick<SlackParts, 'sync'>, log: Logger) {
  const answered = new Set<string>();
  const isFirst = ({ place: { channel }, ts }: Heard) => {
    const name = `${channel} ${ts}`;
    if (answered.has(name)) return false;
    answered.add(name);
    if (answered.size > MOST_REMEMBERED)
      for (const oldest of answered.values().take(1)) answered.delete(oldest);
    return true;
  };
  return async ({
    event,
    context,
  }: Pick<SlackEventMiddlewareArgs<'message' | 'app_mention'> & AllMiddlewareArgs, 'event' | 'context'>) => {
    const heard = event.type === 'app_mention' ? ofMention(event) : ofMessage(event);
    if (heard === null || heard.account === context.botUserId || !isFirst(heard)) return;
    await yieldToOthers();
    const { account, place } = heard;
    const text = lineOf(heard.text, context.botUserId);
    const told = await answersTo(text, { account, place }, parts, log).catch((error: unknown) => [
      failureMessage(error, { message: heard.direct ? 'direct' : 'mention' }, log),
    ]);
    for (const message of told) {
      if (heard.direct) await sayHere(message, place, parts);
      else await notifyCertainly(account, place, message, parts);
    }
  };
}

/** Null for what no person wrote just now, or not in their conversation with Dwell. */
function ofMessage(event: MessageEvent): Heard | null {
  if (event.subtype !== undefined && event.subtype !== 'file_share') return null;
  if (event.channel_type !== 'im' || event.user === SLACKBOT) return null;
  if ('bot_id' in event && event.bot_id !== undefined) return null;
  const { user: account, text = '', ts, channel, thread_ts: threadTs = null } = event;
  return { account, text, ts, place: { channel, threadTs }, direct: true };
}

function ofMention(event: MentionEvent): Heard | null {
  const {
    user: account,
    text,
    ts,
    channel,
    thread_ts: threadTs = null,
    bot_id: bot,
    edited,
    subtype,
  } = event;
  if (account === undefined || bot !== undefined || edited !== undefined || subtype !== undefined)
    return null;
  return { account, text, ts, place: { channel, threadTs }, direct: false };
}

/** What was written, as a command takes it: without the mention of Dwell, links as they were typed. */
function lineOf(text: string, botUserId: string | undefined): string {
  const plain = text.replaceAll(/<@(\w+)(?:\|[^>]*)?>/g, (mention, account) =>
    account === botUserId ? ' ' : mention,
  );
  return unescapeMrkdwn(linkLabels(plain)).trim();
}

async function answersTo(
  text: string,
  { account, place }: { readonly account: string; readonly place: Place },
  parts: ReadingParts & Pick<SlackParts, 'sync'>,
  log: Logger,
): Promise<readonly Message[]> {
  const [, command, typed = ''] = /^\/?(?:(tis|delegates)(?![\w-]))?\s*(.*)$/is.exec(text) ?? [];
  const root = command?.toLowerCase() === 'delegates' ? '/delegates' : '/tis';
  const principal = principalIn(parts.people.tenant, account);
  const line = root === '/tis' ? await understood(typed, { account, place }, parts) : typed;
  if (line === null) {
    const lines = ({ key, project }: { readonly key: string; readonly project: string }) => [
      `/tis ${key}`,
      `/tis weekly ${project}`,
    ];
    const examples = await examplesFor({ principal }, lines, parts);
    return [
      withAdvice(notice('Write an issue key, or a question as `/tis` and `/delegates` take it.'), examples),
    ];
  }
  const profile = await parts.accounts.profileOf(account).catch(() => null);
  const person: Omit<SlashInvocation, 'text' | 'words'> = {
    principal,
    userName: profile?.name ?? account,
    place,
    async open() {
      throw new AppError('not-possible-here', 'A form opens from a command only.', [
        `Type \`${`${root} ${line}`.trim().replaceAll('`', '')}\` in the message field of any channel.`,
      ]);
    },
  };
  return answerLine(root, line, person, parts, log);
}

/** The line that is meant; null where nothing is that can be answered. Keys are answered whatever is around them. */
async function understood(
  typed: string,
  { account, place }: { readonly account: string; readonly place: Place },
  parts: ReadingParts,
): Promise<string | null> {
  const words = typed.split(/\s+/).filter((word) => word !== '');
  const [first = ''] = words.map((word) => word.toLowerCase());
  if (first === '') return null;
  const known: readonly string[] = [
    ...parts.commands.flatMap((one) => (one.root === '/tis' && one.word !== null ? [one.word] : [])),
    ...filterKinds,
  ];
  if (known.includes(first) || (await isQuestion(typed, account, place, parts))) return typed;
  const { keys } = readIssueKeys(words);
  return keys.length > 0 ? keys.join(' ') : null;
}

/** A message that stays, in a conversation in which nobody else reads. */
async function sayHere(
  message: Message,
  { channel, threadTs }: Place,
  { web, log, pictures = null }: MessageParts,
): Promise<void> {
  const inThread = threadTs === null ? {} : { thread_ts: threadTs };
  await postMessage(
    message,
    ({ text, blocks }) =>
      web.chat.postMessage({
        ...{ channel, text, unfurl_links: false, unfurl_media: false },
        ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
        ...inThread,
      }),
    { pictures, log },
  ).catch((error: unknown) =>
    log.warn({ err: error, channel }, 'an answer to a direct message did not reach anybody'),
  );
}
