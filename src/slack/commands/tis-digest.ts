import type { Message } from '../../block-kit/message.ts';
import { AppError, sentencesOf } from '../../model/error.ts';
import type { Asked, SlashCommand } from '../command.ts';
import { digestFormView } from '../digests/digest-form-view.ts';
import { digestListMessages, type ListedDigest, MOST_LISTED } from '../digests/digest-list-message.ts';
import { digestAskerHere } from '../digests/digest-principal-here.ts';
import { nextTold } from '../digests/digest-words-of.ts';
import { makeDigest } from '../digests/make-digest.ts';
import { mayKnowDigest } from '../digests/may-know-digest.ts';
import { readDigestWords } from '../digests/read-digest-words.ts';
import { hoursHere, isDirect } from '../hours-here.ts';
import { helpTopic } from '../messages/help-message.ts';
import { notice } from '../messages/notice.ts';
import { refusal } from '../messages/refusal.ts';
import { openLateView } from '../open-late-view.ts';
import type { DigestParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';
import { tryThese } from '../questions/try-these.ts';

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

function advice(asked: Asked, parts: DigestParts): Promise<string> {
  const lines = ({ project }: { readonly project: string }) => [
    `/tis digest weekly ${project} every monday at 9`,
    '/tis digest new',
  ];
  return tryThese(asked, lines, parts);
}

async function list(asked: Asked, all: boolean, parts: DigestParts): Promise<readonly Message[]> {
  const { digests, settings, accounts } = parts;
  const account = asked.principal.account;
  const by = await digestAskerHere(account, parts);
  if (all && by.rights !== 'admin') {
    throw new AppError('admin-only', 'All digests are shown to admins of the tracker only.');
  }
  const channel = all || isDirect(asked.place.channel) ? null : asked.place.channel;
  const found = await digests.list(all ? by : { ...by, rights: 'user' }, channel);
  if (found.length === 0) return [notice('There are no digests here.', await advice(asked, parts))];
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
      known: own || (listed.length < MOST_LISTED && (await mayKnowDigest(digest, principal, parts))),
      next: await nextTold(digest, digests),
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

function openForm(asked: Asked, parts: DigestParts): Promise<readonly Message[]> {
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
