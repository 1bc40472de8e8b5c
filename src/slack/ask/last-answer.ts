import { millisecondsInDay } from 'date-fns/constants';
import { createNamespace } from '../../cache/namespace.ts';
import { questionViews } from '../answers/index.ts';
import type { Click, Place } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { notice, offer } from '../app/message-texts.ts';
import type { AskingParts, LastAnswer, LastAnswers, SharingParts, SlackParts } from '../app/parts.ts';
import { orElse } from '../app/show-failure.ts';
import type { Message, MessageBlock } from '../blocks/message.ts';
import { button } from '../blocks/mrkdwn.ts';
import { explainRun, explanationBlocks } from './explain-answer.ts';
import { lastTail, type Tails, tailKinds } from './grammar/parse-options.ts';
import type { ParserContext } from './grammar/parser-context.ts';
import { keysInMessage, MAX_WORDS, sourceOf, wordsOf } from './grammar/typed-words.ts';
import { plainWords } from './plain/whole-sentences.ts';
import { answerDetails, readWords, turnPage } from './read-question.ts';
import { shareRun } from './share-answer.ts';

/** For a conversation. */
export type ConversationParts = AskingParts & SharingParts & Pick<SlackParts, 'lastAnswers' | 'stored'>;

/** They are remembered for a day. */
export function createLastAnswers({ stored, now }: Pick<SlackParts, 'stored' | 'now'>): LastAnswers {
  const answers = createNamespace<LastAnswer>({
    name: 'last-answer',
    ttlMs: millisecondsInDay,
    maxEntries: null,
    now,
    backing: stored,
  });
  // Someone's conversation with the app goes by their account as well as by its own id.
  const keyOf = (account: string, { channel, threadTs }: Place) =>
    `${isDirect(channel) ? 'direct' : channel} ${threadTs ?? ''} ${account}`;
  return {
    async of(account, place) {
      const own = await answers.get(keyOf(account, place));
      return own ?? (await answers.get(keyOf(account, { ...place, threadTs: null }))) ?? null;
    },
    async remember(account, place, last) {
      if (last === null) return;
      await answers.set(keyOf(account, { ...place, threadTs: null }), last);
      if (place.threadTs !== null) await answers.set(keyOf(account, place), last);
    },
  };
}

/** The answer in some messages that can be gone on from, by the buttons below it; null if there is none. */
export function lastAnswerIn(
  messages: readonly Message[],
  { line, start }: Pick<LastAnswer, 'line' | 'start'>,
): LastAnswer | null {
  const actions = messages.flatMap(({ blocks }) => blocks.flatMap(actionsIn));
  const valuesOf = (id: string) => actions.flatMap(([action, value]) => (action === id ? [value] : []));
  const run = valuesOf('why-answer').at(-1);
  if (run === undefined) return null;
  const next = valuesOf('turn-page').find((value) => Number(value.split(' ')[1]) > start) ?? null;
  return { line, run, start, next, hasDetails: valuesOf('answer-details').length > 0 };
}

function actionsIn(block: MessageBlock): readonly (readonly [id: string, value: string])[] {
  const elements =
    block.type === 'actions' ? block.elements : block.type === 'section' ? [block.accessory] : [];
  return elements.flatMap((element) => {
    if (element?.type === 'button') return [[element.action_id ?? '', element.value ?? ''] as const];
    if (element?.type !== 'overflow') return [];
    return element.options.map(({ value = '' }) => {
      const [id = '', ...left] = value.split(' ');
      return [id, left.join(' ')] as const;
    });
  });
}

const followUps = [
  ['more', /^(?:(?:show )?(?:me )?(?:more|the rest)|next|(?:show )?(?:me )?(?:the )?details)$/i],
  ['share', /^share(?: (?:it|this|that))?(?: here)?$/i],
  ['why', /^why(?: is that| so)?$/i],
  ['export', /^export(?: (?:it|this|that))?$/i],
] as const;
type FollowUp = (typeof followUps)[number][0];

/** The words that ask for something of the last answer; null where they say something else. */
export function followUpOf(text: string): FollowUp | null {
  const typed = plainWords(text);
  return followUps.find(([, words]) => words.test(typed))?.[0] ?? null;
}

/** Does it, as the buttons below the answer would; with what *more* goes on with then. */
export async function followUp(
  wanted: FollowUp,
  last: LastAnswer,
  click: Click,
  parts: ConversationParts,
): Promise<{ readonly messages: readonly Message[]; readonly last: LastAnswer }> {
  const { run } = last;
  const pressed = { ...click, value: run };
  switch (wanted) {
    case 'more': {
      if (last.next !== null) {
        const start = Number(last.next.split(' ')[1]);
        const messages = await turnPage.run({ ...click, value: last.next }, parts);
        return { messages, last: lastAnswerIn(messages, { line: last.line, start }) ?? last };
      }
      const details = last.hasDetails ? await answerDetails.run(pressed, parts) : [];
      const messages = details.length > 0 ? details : [notice("That's everything.")];
      return { messages, last: { ...last, hasDetails: false } };
    }
    case 'share':
      return { messages: await shareRun({ run, comment: '' }, click, click.place, parts), last };
    case 'why':
      return { messages: [await explanationMessage(run, click.principal.account, parts)], last };
    case 'export':
      return {
        messages: [offer('Choose a format for the file:', button('Export', 'export-answer', run))],
        last,
      };
  }
}

/** The first figure explained; the others are behind the button. */
async function explanationMessage(id: string, account: string, parts: ConversationParts): Promise<Message> {
  const { chosen, explanation } = await explainRun({ run: id, figure: null }, account, parts);
  if (explanation === null) return notice('There is no figure to explain in this answer.');
  const blocks = explanationBlocks([], chosen, explanation);
  const { text, blocks: others } = offer('Other figures:', button('Why?', 'why-answer', id));
  return { text: [explanation.title, ...explanation.rules, text].join(' '), blocks: [...blocks, ...others] };
}

const sameThing: readonly (readonly (keyof Tails)[])[] = [['unit'], ['calendar'], ['reportType', 'groupBy']];

/**
 * The line of the last question with another unit, calendar or grouping (`in hours`, `in Berlin hours`, `by assignee`), or
 * about another project (`and APP?`); null where the words are neither.
 */
export async function followUpLine(
  text: string,
  line: string,
  contextOf: () => Promise<ParserContext>,
): Promise<string | null> {
  const typed = plainWords(text);
  const end = typed.replace(/^and /i, '');
  if (/^(?:in|by) /i.test(end)) return lineWithEnd(end, line, await contextOf());
  const [, name] = /^(?:and|(?:what|how) about)(?: (?:for|in|of))? (.+)$/i.exec(typed) ?? [];
  return name === undefined ? null : lineAbout(name, line, await contextOf());
}

async function lineWithEnd(end: string, line: string, context: ParserContext): Promise<string | null> {
  const words = wordsOf(end);
  const wanted = await lastTail(words, sameThing.flat(), context);
  if (wanted === null || wanted.start > 0) {
    // A few words may name hours or a field that are not there: reading them says so.
    return words.length > MAX_WORDS || keysInMessage(end).length > 0 ? null : `${line} ${end}`;
  }
  const replaced = sameThing.filter((kinds) => kinds.some((kind) => kind in wanted.tail)).flat();
  let left = wordsOf(line);
  let others = '';
  for (;;) {
    const taken = await lastTail(left, tailKinds, context);
    if (taken === null || taken.start === 0) break;
    if (!replaced.some((kind) => kind in taken.tail))
      others = `${sourceOf(left.slice(taken.start))} ${others}`;
    left = left.slice(0, taken.start);
  }
  return `${sourceOf(left)} ${others}${sourceOf(words)}`.trim();
}

/** The line about a project; null where the name is none of a project, or the line cannot be about one. */
export async function lineAbout(name: string, line: string, context: ParserContext): Promise<string | null> {
  const { isProject } = context;
  if (!(await isProject(name))) return null;
  const words = wordsOf(line);
  const are = await Promise.all(words.map(({ plain }) => isProject(plain)));
  const at = are.indexOf(true);
  // Without a project it was about the usual ones; the name goes behind the word for the question, if there is one.
  const isWord = (word: string) =>
    questionViews.some(({ commands }) => commands.some((one) => one.word === word));
  const start = at < 0 && isWord(words[0]?.plain.toLowerCase() ?? '') ? 1 : Math.max(0, at);
  const left = words.slice(at < 0 ? start : at + 1);
  const about = [sourceOf(words.slice(0, start)), name, sourceOf(left)].join(' ').trim();
  return orElse(
    readWords(about, context).then(() => about),
    () => null,
    'bad-request',
  );
}
