import type { ActionsBlock, Button, KnownBlock } from '@slack/types';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { closedTo } from '../../issues/browse-scope.ts';
import type { Digest } from '../../model/digest.ts';
import { AppError, sentencesOf } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { checksOf, kindOf } from '../../questions/index.ts';
import type { SlashCommand, SlashInvocation } from '../app/handler-types.ts';
import { hoursHere, isDirect } from '../app/hours-here.ts';
import { button, notice } from '../app/message-texts.ts';
import { openLateView } from '../app/open-view.ts';
import type { DigestParts, SlackParts } from '../app/parts.ts';
import { type Advice, refusal, withAdvice } from '../app/show-failure.ts';
import { examplesFor, helpTopic } from '../ask/help.ts';
import { digestPrincipal, digestPrincipalHere, resolvePrincipal } from '../people/principals.ts';
import { digestWordsOf, nextPostText, stateWords } from './describe-digest.ts';
import { digestFormView } from './digest-form.ts';
import { readDigestWords } from './digest-words.ts';
import { makeDigest } from './make-digest.ts';

/** What people type who look for the buttons. */
const buttonWords = ['pause', 'resume', 'stop', 'edit', 'change', 'delete', 'remove', 'preview'];

/** `/tis digest`: an answer told again and again, by itself. */
export const tisDigest: SlashCommand<DigestParts> = {
  root: '/tis',
  word: 'digest',
  usage: '/tis digest [list | all | new | QUESTION every DAY at TIME [here|to me] [with xlsx]]',
  summary: 'an answer that comes by itself: every Monday at nine, say',
  examples: [
    '/tis digest weekly WEB every monday at 9',
    '/tis digest aging WEB every weekday at 9:30 to me',
    '/tis digest project WEB last 30 days by assignee every month on the 1st at 9 with xlsx',
  ],
  details:
    'QUESTION is whatever can stand behind `/tis`. It is asked with your rights, as of the time it is due. Further words: `in Europe/Berlin`, `on working days of CALENDAR`, `cron 0 9 * * 1-5` instead of `every …`. Bare `/tis digest` lists the digests here with what can be done about each.',
  async answer(asked, parts) {
    const word = asked.words.length === 1 ? asked.words[0]?.toLowerCase() : undefined;
    if (asked.text === '' || word === 'list') return list(asked, false, parts);
    if (word === 'all') return list(asked, true, parts);
    if (word === 'help') {
      const commands = parts.commands.filter(({ root }) => root === '/tis');
      return [helpTopic(commands, 'digest')];
    }
    if (word === 'new') return openForm(asked, parts);
    if (word !== undefined && buttonWords.includes(word)) {
      return [notice('Each digest has its buttons in the list: `/tis digest`.')];
    }
    try {
      const words = { ...readDigestWords(asked.text), title: null };
      return [await makeDigest(words, asked.principal.account, asked.place, parts)];
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
      return [refusal(['No digest was made.', ...sentencesOf(error)], await advice(asked, parts))];
    }
  },
};

function advice(asked: SlashInvocation, parts: DigestParts): Promise<Advice> {
  const lines = ({ project }: { readonly project: string }) => [
    `/tis digest weekly ${project} every monday at 9`,
    '/tis digest new',
  ];
  return examplesFor(asked, lines, parts);
}

async function list(asked: SlashInvocation, all: boolean, parts: DigestParts): Promise<readonly Message[]> {
  const { digests, settings, accounts } = parts;
  const account = asked.principal.account;
  const by = await digestPrincipalHere(account, parts);
  if (all && by.rights !== 'admin') {
    throw new AppError('admin-only', 'All digests are shown to admins of the tracker only.');
  }
  const channel = all || isDirect(asked.place.channel) ? null : asked.place.channel;
  const found = await digests.list(all ? by : { ...by, rights: 'user' }, channel);
  if (found.length === 0)
    return [withAdvice(notice('There are no digests here.'), await advice(asked, parts))];
  const names = new Map<string, string>();
  for (const owner of new Set(found.map((digest) => digest.owner))) {
    const profile = owner === account ? null : await accounts.profileOf(owner).catch(() => null);
    names.set(owner, profile?.name ?? owner);
  }
  const principal = await resolvePrincipal(account, parts);
  const listed: ListedDigest[] = [];
  for (const digest of found) {
    const own = by.rights === 'admin' || digest.owner === account;
    listed.push({
      digest,
      own,
      isYours: digest.owner === account,
      owner: names.get(digest.owner) ?? digest.owner,
      known: own || (listed.length < MOST_LISTED && (await canSeeDigest(digest, principal, parts))),
      next: await nextPostText(digest, digests),
    });
  }
  const calendars = await settings.calendars(principal);
  const lead = all
    ? 'All digests:'
    : channel === null
      ? 'Your digests:'
      : 'Your digests, and those of this channel:';
  return digestListMessages(lead, listed, calendars);
}

function openForm(asked: SlashInvocation, parts: DigestParts): Promise<readonly Message[]> {
  const make = async () => {
    const account = asked.principal.account;
    const { timeZone } = await hoursHere(asked.place, account, parts);
    const form = {
      id: null,
      at: asked.place,
      title: '',
      question: '',
      when: 'every monday at 9',
      timeZone,
      place: isDirect(asked.place.channel) ? 'owner' : 'here',
      channel: '',
      workingDays: '',
      file: '',
    } as const;
    return digestFormView(form, await parts.settings.calendars(await resolvePrincipal(account, parts)), null);
  };
  const view = { title: 'New digest', meanwhile: 'Looking up the calendars…', make };
  return openLateView({ ...view, advice: 'Please type it again.' }, asked.open, parts);
}

/**
 * Whether somebody may know what a digest of somebody else's asks: they could ask it themselves, and see every project
 * of which it tells its owner. What cannot be found out counts as a no.
 */
async function canSeeDigest(
  { question, owner }: Pick<Digest, 'question' | 'owner'>,
  reader: Principal,
  parts: Pick<SlackParts, 'reporting' | 'people' | 'accounts' | 'log'>,
): Promise<boolean> {
  const { reporting } = parts;
  try {
    const principal = await digestPrincipal(owner, parts);
    const requests = principal === null ? [] : checksOf(question, principal);
    if (requests.length === 0) return false;
    for (const request of checksOf(question, reader)) await reporting.check(request);
    const isClosed = closedTo(await reporting.browseScope(reader));
    for (const request of requests) {
      const contents = await reporting.audienceScope(request);
      if (contents === null || contents.withLevel !== 0) return false;
      if (contents.projects.some((key) => isClosed?.(key))) return false;
    }
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return false;
  }
}

/** Two blocks each; more in one message are hard to read. */
const IN_A_MESSAGE = 10;
const MOST_MESSAGES = 4;
/** More are counted only. */
const MOST_LISTED = IN_A_MESSAGE * MOST_MESSAGES;
const TITLE_LENGTH = 100;

/**
 * A digest to be listed: `owner` is its owner's name, `own` whether the reader may change it, `isYours` whether they
 * are that owner, `known` whether they may
 * know what it asks, `next` when it comes next.
 */
interface ListedDigest {
  readonly digest: Digest;
  readonly owner: string;
  readonly own: boolean;
  readonly isYours: boolean;
  readonly known: boolean;
  readonly next: Instant | null;
}

/** Digests with what can be done about each, in as many messages as they need. Expects the lead to be escaped. */
export function digestListMessages(
  lead: string,
  listed: readonly ListedDigest[],
  calendars: readonly CalendarDefinition[],
): readonly Message[] {
  const shown = listed.slice(0, MOST_LISTED);
  const rest = listed.length - shown.length;
  const parts = Array.from({ length: Math.ceil(shown.length / IN_A_MESSAGE) }, (_, i) =>
    shown.slice(i * IN_A_MESSAGE, (i + 1) * IN_A_MESSAGE),
  );
  const more = rest > 0 ? `… and ${rest} more.` : null;
  return parts.map((part, i) => {
    const lines = part.map((one) => digestText(one, calendars));
    const head = i === 0 ? [lead] : [];
    const foot = more !== null && i === parts.length - 1 ? [more] : [];
    return {
      text: [...head, ...lines, ...foot].join('\n'),
      blocks: [
        ...head.map(section),
        ...part.flatMap((one, at) => [section(lines[at] ?? ''), ...buttonsFor(one)]),
        ...foot.map(section),
      ],
    };
  });
}

function digestText(
  { digest, owner, own, isYours, known, next }: ListedDigest,
  calendars: readonly CalendarDefinition[],
): string {
  const name = escapeMrkdwn(shorten(owner, TITLE_LENGTH));
  const title = `*${escapeMrkdwn(shorten(digest.title, TITLE_LENGTH))}*`;
  const asked = own ? `: ${escapeMrkdwn(shorten(kindOf(digest.question).title(digest.question), 300))}` : '';
  return [
    known ? `${title}${asked}` : '*A digest* of what you may not see, or of which nobody can tell',
    digestWordsOf(digest, calendars, isYours),
    `${stateWords(digest, { next, withWhy: own })}${own ? '' : ` · of ${name}`}`,
  ].join('\n');
}

function buttonsFor({ digest: { id, paused, title }, own }: ListedDigest): KnownBlock[] {
  if (!own) return [];
  const row: ActionsBlock = {
    type: 'actions',
    elements: [
      button('Preview', 'digest-preview', id),
      paused ? button('Resume', 'digest-resume', id) : button('Pause', 'digest-pause', id),
      button('Edit', 'digest-edit', id),
      button('Hand over', 'digest-hand-over', id),
      deleting(id, title),
    ],
  };
  return [row];
}

function deleting(id: string, title: string): Button {
  const plain = (text: string) => ({ type: 'plain_text', text }) as const;
  return {
    ...button('Delete', 'digest-delete', id),
    confirm: {
      title: plain('Delete this digest?'),
      text: plain(`${shorten(title, TITLE_LENGTH)} will not be told any more.`),
      confirm: plain('Delete'),
      deny: plain('Keep it'),
      style: 'danger',
    },
  };
}
