import type { KnownBlock } from '@slack/types';
import { checksOf } from '../../api/answers/index.ts';
import type { Digest } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { closedTo, type Principal } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { SlackAction, SlashCommand } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { pausedLine, withFootnote } from '../app/message-texts.ts';
import type { DigestParts, PeopleParts, SlackParts } from '../app/parts.ts';
import { listPart, moreMenu, ROWS, showInstead } from '../app/row-menu.ts';
import { lineRefusal, typedSentences } from '../app/show-failure.ts';
import { correctedLines } from '../ask/grammar/names-meant.ts';
import { readDigestWords } from '../ask/grammar/read-digest.ts';
import { examplesFor, helpTopic } from '../ask/help.ts';
import { questionProblem } from '../ask/read-question.ts';
import type { Message } from '../blocks/message.ts';
import { actions, button, context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { digestPrincipal, digestPrincipalHere, resolvePrincipal } from '../people/accounts.ts';
import { digestWords, LIST, nextPost, stateWords, titleWords, writePeriod } from './describe-digest.ts';
import { openDigestForm, placeAt } from './digest-form.ts';
import { canPostAgain } from './post-once.ts';
import { saveDigest } from './save-digest.ts';

const listWords = /^(list|all|pause|resume|stop|edit|change|delete|remove|preview)?$/;

/** `/tis digest`: schedules a report, and lists what is scheduled. */
export const tisDigest: SlashCommand<DigestParts> = {
  root: '/tis',
  word: 'digest',
  usage: '/tis digest [list | new | QUESTION every DAY at TIME [here|to me] [with xlsx]]',
  summary: 'schedule any report; alone: the digests here',
  examples: [
    '/tis digest weekly WEB every monday at 9',
    '/tis digest aging WEB every weekday at 9:30 to me',
    '/tis digest project WEB last 30 days by assignee every month on the 1st at 9 with xlsx',
  ],
  details:
    'QUESTION is the same as after `/tis`. A digest runs with your permissions at the time it is due. You can add `in Europe/Berlin`, `on working days of CALENDAR`, or `cron 0 9 * * 1-5` instead of `every …`. `/tis digest` alone lists the digests here with a menu for each.',
  async answer(invocation, parts) {
    const { place, text } = invocation;
    const { account } = invocation.principal;
    const word = text.toLowerCase();
    if (listWords.test(word)) return [await listDigests(account, place.channel, 0, parts)];
    if (word === 'help') {
      const ours = parts.commands.filter(({ root }) => root === '/tis');
      return [helpTopic(ours, 'digest')];
    }
    if (word === 'new') return openDigestForm(null, invocation, parts);
    try {
      const words = readDigestWords(text);
      const target = words.place === 'owner' ? ({ kind: 'owner' } as const) : placeAt(place);
      const draft = { ...words, title: null, place: target };
      return [await saveDigest(null, draft, account, place, parts)];
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
      // Only when is missing, which the form asks for.
      if (error.reason === 'missing-value' && (await questionProblem(text, account, place, parts)) === null)
        return openDigestForm(null, invocation, parts, text);
      const example = (project: string) => `/tis digest weekly ${project} every monday at 9`;
      const advice = await examplesFor(
        invocation,
        ({ project }) => [example(project), '/tis digest new'],
        parts,
      );
      const sentences = ['No digest was created.', ...typedSentences(error)];
      const { line } = error.data;
      const near = correctedLines(`/tis digest ${text}`, error.data);
      const { question } = typeof line === 'string' ? readDigestWords(text) : { question: '' };
      const nearest = typeof line === 'string' ? [`/tis digest ${text.replace(question, () => line)}`] : [];
      return [lineRefusal(error, `/tis digest ${text}`, sentences, advice, [...near, ...nearest])];
    }
  },
};

/** *New digest* below a list. */
export const digestNew: SlackAction<DigestParts> = {
  id: 'digest-new',
  run: (click, parts) => openDigestForm(null, click, parts),
};

/** *Next* and *Previous* below a list; its value is the first digest of that part. */
export const digestList: SlackAction<DigestParts> = {
  id: 'digest-list',
  async run(click, parts) {
    const { principal, place, value } = click;
    const list = await listDigests(principal.account, place.channel, Number(value), parts);
    return showInstead(click, 'Digests', list, parts);
  },
};

/** The digests of a channel and of an account as a message, from one of them (0 is the first) on. */
export async function listDigests(
  account: string,
  place: string,
  start: number,
  parts: DigestParts,
): Promise<Message> {
  const by = await digestPrincipalHere(account, parts);
  const channel = isDirect(place) ? null : place;
  const found = await parts.digests.list({ ...by, rights: 'user' }, channel);
  const principal = await resolvePrincipal(account, parts);
  const rows = found.slice(start, start + ROWS).map(async (digest) => {
    const own = by.rights === 'admin' || digest.owner === account;
    const known = own || (await canSeeDigest(digest, principal, parts));
    return { digest, own, known, next: await nextPost(digest, parts.digests) };
  });
  const lead = channel === null ? 'Your digests' : `Digests in <#${channel}>, and yours`;
  const calendars = await parts.settings.calendars(principal);
  const list = digestListMessage({ lead, start, total: found.length }, await Promise.all(rows), calendars);
  if (!(await parts.restore.isPaused())) return list;
  const [shown = list] = withFootnote([list], pausedLine(by.rights === 'admin'));
  return shown;
}

/**
 * True if a person may know the question of another's digest: they could put it themselves, and see every project that
 * it covers for its owner. Anything that cannot be found out counts as a no.
 */
async function canSeeDigest(
  { question, owner }: Digest,
  reader: Principal,
  parts: PeopleParts & Pick<SlackParts, 'reporting'>,
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

/** A digest of a list: `own` whether the reader can change it, `known` whether they can know what it asks. */
interface ListedDigest {
  readonly digest: Digest;
  readonly own: boolean;
  readonly known: boolean;
  readonly next: Instant | null;
}

/** A part of a list of digests, a row each with a menu, and how to get to the rest. The lead is mrkdwn. */
export function digestListMessage(
  { lead, start, total }: { readonly lead: string; readonly start: number; readonly total: number },
  rows: readonly ListedDigest[],
  calendars: readonly CalendarDefinition[],
): Message {
  const part = listPart(start, total, 'digest-list');
  const head = total === 0 ? 'There are no digests here yet.' : `*${lead}*${part.text}`;
  const lines = rows.map(({ digest, own, known, next }) => {
    const title = known ? titleWords(digest) : '*A digest you have no access to*';
    const owner = own ? '' : ` · owner: <@${escapeMrkdwn(digest.owner)}>`;
    return `${title} ${digestWords(digest, calendars)}\n${stateWords(digest, next, own)}${owner}`;
  });
  return {
    text: [head, ...lines].join('\n'),
    blocks: [
      section(head),
      ...rows.map((row, i): KnownBlock => {
        const block = section(lines[i] ?? '');
        return row.own ? { ...block, accessory: menuOf(row.digest, start) } : block;
      }),
      ...(total === 0 ? [context('For example: `/tis digest weekly WEB every monday at 9`')] : []),
      actions(button('New digest', 'digest-new', 'new'), ...part.turns),
    ],
  };
}

/** Slack takes five entries: a run that failed is posted again rather than previewed. */
function menuOf({ id, paused, lastRun }: Digest, start: number) {
  const value = `${id} ${LIST} ${start}`;
  return moreMenu([
    paused ? ['Resume', 'digest-resume', value] : ['Pause', 'digest-pause', value],
    ['Edit', 'digest-edit', value],
    lastRun !== null && canPostAgain(lastRun)
      ? ['Post again', 'digest-post-again', writePeriod(id, lastRun.due)]
      : ['Preview', 'digest-preview', value],
    ['Change owner', 'digest-change-owner', value],
    ['Delete', 'digest-delete', `${value} ask`],
  ]);
}
