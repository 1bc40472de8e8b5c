import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt';
import { millisecondsInHour } from 'date-fns/constants';
import type { Logger } from 'pino';
import { createNamespace } from '../../cache/namespace.ts';
import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { AppError } from '../../model/error.ts';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import { principalIn } from '../../model/request.ts';
import type { Click, Place } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { notice, offer } from '../app/message-texts.ts';
import type { LastAnswer } from '../app/parts.ts';
import { notifyCertainly } from '../app/post-message.ts';
import { failureMessage, runButton, withAdvice } from '../app/show-failure.ts';
import type { Message } from '../blocks/message.ts';
import { button, unescapeMrkdwn } from '../blocks/mrkdwn.ts';
import { principalOrNobody } from '../people/accounts.ts';
import { linkLabels } from '../people/identify.ts';
import { answerLine, otherLine } from './ask-command.ts';
import { filterKinds } from './grammar/parser-context.ts';
import { examplesFor } from './help.ts';
import { type ConversationParts, followUp, followUpLine, followUpOf, lastAnswerIn } from './last-answer.ts';
import { exampleKey, parserContextOf } from './parser-context-of.ts';
import { isThanks, plainWords, suggestedOf } from './plain/whole-sentences.ts';
import { questionProblem } from './read-question.ts';
import { postHere } from './share-answer.ts';

/** A message to Dwell; `direct`: it is in the account's own conversation with Dwell, where only the account reads. */
interface Incoming {
  readonly account: string;
  readonly text: string;
  readonly ts: string;
  readonly place: Place;
  readonly direct: boolean;
}

const SLACKBOT = 'USLACKBOT';
const MAX_REMEMBERED = 1_000;

/**
 * A conversation with Dwell: direct messages are answered there, mentions in a channel for their author alone. It takes an
 * issue key anywhere in the text, every question of the commands, some in plain words, and what goes on from the last
 * answer. Slack repeats events, which are answered once.
 */
export function createConversation(parts: ConversationParts, log: Logger) {
  const { now, stored: backing } = parts;
  const answered = createNamespace<true>({
    name: 'answered-messages',
    ttlMs: millisecondsInHour,
    maxEntries: MAX_REMEMBERED,
    now,
    backing,
    fromFuture: 'good',
  });
  const views = createNamespace<string>({
    name: 'channels-in-view',
    ttlMs: millisecondsInHour,
    maxEntries: MAX_REMEMBERED,
    now,
    backing,
  });

  async function answer({
    event,
    context: { botUserId },
  }: Pick<MessageArgs, 'event' | 'context'>): Promise<void> {
    const incoming = incomingOf(event);
    if (incoming === null || incoming.account === botUserId) return;
    const { account, direct, ts } = incoming;
    if (!(await answered.add(`${incoming.place.channel} ${ts}`, true))) return;
    await yieldToOthers();
    const inView = incoming.place.inView ?? (direct ? await views.get(account) : undefined);
    const place = inView === undefined ? incoming.place : { ...incoming.place, inView };
    const text = lineOf(incoming.text, botUserId);
    const before = await parts.lastAnswers.of(account, place);
    const { messages, last } = await reply(text, before, { account, place }, parts, log).catch(
      (error: unknown) => ({
        messages: [failureMessage(error, { message: direct ? 'direct' : 'mention' }, log)],
        last: null,
      }),
    );
    // People go on about an answer in the thread it is in, or in the one below it.
    let { threadTs } = place;
    for (const message of messages) {
      if (direct) {
        const posted = await postHere(message, place, parts);
        if (posted.kind === 'posted') threadTs ??= posted.ts;
      } else await notifyCertainly(account, place, message, parts);
    }
    await parts.lastAnswers.remember(account, { ...place, threadTs }, last);
  }

  return {
    answer,
    /** Slack says which channel someone looks at while they have the app open, or that it is none. */
    async changeView({ event, body }: Pick<ContextArgs, 'event' | 'body'>): Promise<void> {
      // The event of some versions names no one; then it is the person for whom Slack sent it.
      const account = event.user ?? body.authorizations?.find((one) => !one.is_bot)?.user_id;
      if (account === undefined) return;
      const channel = channelIn(event.context);
      await (channel === undefined ? views.delete(account) : views.set(account, channel));
    },
  };
}

type MessageArgs = SlackEventMiddlewareArgs<'message' | 'app_mention'> & AllMiddlewareArgs;
type ContextArgs = SlackEventMiddlewareArgs<'app_context_changed'> & AllMiddlewareArgs;

/** Null for what no person wrote just now, and for what is not to Dwell. */
function incomingOf(event: MessageArgs['event']): Incoming | null {
  if (event.subtype !== undefined && event.subtype !== 'file_share') return null;
  if (event.user === undefined || event.user === SLACKBOT) return null;
  if (('bot_id' in event && event.bot_id !== undefined) || ('edited' in event && event.edited !== undefined))
    return null;
  const direct = event.type === 'message';
  if (direct && event.channel_type !== 'im') return null;
  const { user: account, text = '', ts, channel, thread_ts: threadTs = null } = event;
  const inView = 'app_context' in event ? channelIn(event.app_context) : undefined;
  const place = { channel, threadTs, ...(inView === undefined ? {} : { inView }) };
  return { account, text, ts, place, direct };
}

/** The channel that someone looks at: the first of what Slack says is in view, the most relevant before the others. */
function channelIn(view: ContextArgs['event']['context'] | undefined): string | undefined {
  const channels = (view?.entities ?? []).flatMap((entity) => {
    if (entity.type === 'slack#/types/channel_id') return [entity.value];
    return entity.type === 'slack#/types/message_context' ? [entity.value.channel_id] : [];
  });
  return channels.find((channel) => !isDirect(channel));
}

/** The text of a message as a command takes it: without the mention of Dwell, links as they were typed. */
function lineOf(text: string, botUserId: string | undefined): string {
  const plain = text.replaceAll(/<@(\w+)(?:\|[^<>]*)?>/g, (mention, account) =>
    account === botUserId ? ' ' : mention,
  );
  return unescapeMrkdwn(linkLabels(plain)).trim();
}

/** The account that writes, and its place. */
interface Writer {
  readonly account: string;
  readonly place: Place;
}

/** The messages of a reply, and the answer that the next message can go on from; null: the one before stays. */

async function reply(
  text: string,
  before: LastAnswer | null,
  writer: Writer,
  parts: ConversationParts,
  log: Logger,
): Promise<{ readonly messages: readonly Message[]; readonly last: LastAnswer | null }> {
  const { account, place } = writer;
  const profile = await parts.accounts.profileOf(account).catch(() => null);
  let needsForm = false;
  const click: Click = {
    principal: principalIn(parts.people.tenant, account),
    userName: profile?.name ?? account,
    value: '',
    place,
    messageTs: '',
    view: null,
    replace: null,
    async open() {
      needsForm = true;
      throw new AppError('not-possible-here', 'A form opens from a button only.');
    },
  };
  const suggest = async (sentence: string) => ({
    messages: [await suggestions(sentence, text, writer, parts)],
    last: null,
  });
  const wanted = followUpOf(text);
  if (wanted !== null) {
    if (before !== null) return followUp(wanted, before, click, parts);
    return suggest('There is no earlier answer in this conversation. Try one of these:');
  }
  if (isThanks(text)) return { messages: [notice("You're welcome!")], last: null };
  if (plainWords(text) === '') return suggest('Ask me about an issue, a project or a week.');
  const changed =
    before === null
      ? null
      : await followUpLine(text, before.line, () => parserContextOf(account, place, parts));
  const line = changed === null ? await lineMeant(text, writer, parts) : `/tis ${changed}`;
  if (line === null) return suggest("I didn't understand that. Send an issue key, or try one of these:");
  const [root = '', ...words] = line.split(' ');
  const typed = words.join(' ');
  const answers = await answerLine(root, typed, click, parts, log);
  if (needsForm)
    return { messages: [offer('This opens a form:', button('Open', 'run-line', line))], last: null };
  return {
    messages: answers,
    last: root === '/tis' ? lastAnswerIn(answers, { line: typed, start: 0 }) : null,
  };
}

/** The command line that is meant; null where nothing can be answered. */
async function lineMeant(
  text: string,
  { account, place }: Writer,
  parts: ConversationParts,
): Promise<string | null> {
  const [, command = '', typed = ''] = /^\/?(?:(tis|delegates)(?![\w-]))?\s*(.*)$/is.exec(text) ?? [];
  const root = command.toLowerCase();
  if (root === 'delegates') return `/delegates ${typed}`.trim();
  const line = `/tis ${typed}`.trim();
  const [first = ''] = typed.toLowerCase().split(/\s+/);
  const known: readonly string[] = [
    ...parts.commands.flatMap((one) => (one.root === '/tis' && one.word !== null ? [one.word] : [])),
    ...filterKinds,
  ];
  if ((root === 'tis' && first === '') || known.includes(first)) return line;
  const other = await otherLine(typed, parts);
  if (other !== null) return other;
  const refused = await questionProblem(typed, account, place, parts);
  // A line that is nearly right is answered, with what is near.
  const { meant = [], line: near, kind } = refused?.data ?? {};
  return refused === null ||
    meant.length > 0 ||
    near !== undefined ||
    (kind !== undefined && kind !== 'words')
    ? line
    : null;
}

/** A sentence, and three questions to ask next: first those that fit what was written, of a project that it names. */
async function suggestions(
  sentence: string,
  text: string,
  { account, place }: Writer,
  parts: ConversationParts,
): Promise<Message> {
  const principal = await principalOrNobody(account, parts);
  const key = principal === null ? null : await exampleKey(principal, place, account, parts);
  if (key === null) {
    const person = { principal: principalIn(parts.people.tenant, account), place };
    return withAdvice(notice(sentence), await examplesFor(person, () => [], parts));
  }
  const { isProject } = await parserContextOf(account, place, parts);
  let project = projectKeyOf({ key });
  for (const word of text.match(/\b[A-Z][A-Z0-9_]+\b/g)?.slice(0, MAX_NAMED) ?? []) {
    if (await isProject(word)) project = word;
  }
  return offer(sentence, ...suggestedOf(project).map(({ label, line }, i) => runButton(line, label, i)));
}

const MAX_NAMED = 5;
