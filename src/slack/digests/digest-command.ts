import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { checksOf } from '../../api/answers/index.ts';
import type { Digest } from '../../model/digest.ts';
import { AppError, badRequest, badRequestAs, sentencesOf } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { closedTo, type Principal } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { defineForm, field, placeSchema } from '../app/define-form.ts';
import { entered, input } from '../app/form-inputs.ts';
import type { Click, SlackAction, SlackModal, SlashCommand } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { moreMenu, notice, offer, pausedLine, ROWS, rowsPart, withFootnote } from '../app/message-texts.ts';
import { openView, showInstead } from '../app/open-view.ts';
import type { DigestParts, PeopleParts, SlackParts } from '../app/parts.ts';
import { sendDirectMessage } from '../app/post-message.ts';
import { lineRefusal, typedSentences } from '../app/show-failure.ts';
import { correctedLines } from '../ask/grammar/names-meant.ts';
import { readDigestWords } from '../ask/grammar/read-digest.ts';
import { examplesFor, helpTopic } from '../ask/help.ts';
import { questionProblem, storeAnswer } from '../ask/read-question.ts';
import type { Message } from '../blocks/message.ts';
import { actions, button, context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { digestPrincipal, digestPrincipalHere, resolvePrincipal } from '../people/accounts.ts';
import { openDigestForm, placeAt } from './digest-form.ts';
import { canPostAgain, writePeriod } from './post-once.ts';
import { answerIn, digestView, ownerOf, titleWords } from './post-period.ts';
import { CARD, digestCard, digestWords, LIST, nextPost, saveDigest, stateWords } from './save-digest.ts';

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

/** The buttons of lists and cards of digests. */
export const digestActions: readonly SlackAction<DigestParts>[] = [
  /** *New digest* below a list. */
  {
    id: 'digest-new',
    run: (click, parts) => openDigestForm(null, click, parts),
  },
  /** *Next* and *Previous* below a list; its value is the first digest of that part. */
  {
    id: 'digest-list',
    async run(click, parts) {
      const { principal, place, value } = click;
      const list = await listDigests(principal.account, place.channel, Number(value), parts);
      return showInstead(click, 'Digests', list, parts);
    },
  },
  /** *Pause* beside a digest. */
  changing('pause', 'is paused.'),
  /** *Resume* beside a digest. */
  changing('resume', 'is scheduled again.'),
  /** *Delete* in the menu of a digest, whose value ends with `ask`, and the buttons that do it or leave it (`keep`). */
  {
    id: 'digest-delete',
    async run(click, parts) {
      const [id = '', ...where] = click.value.split(' ');
      const by = await digestPrincipalHere(click.principal.account, parts);
      const title = titleWords(await parts.digests.get(by, id));
      if (where.at(-1) === 'ask') {
        const question = `Delete ${title}? Messages it already posted are not deleted.`;
        const confirm = button('Delete', 'digest-delete', `${id} ${CARD}`, 'danger');
        return [offer(question, confirm, button('Cancel', 'digest-delete:keep', `${id} ${CARD} keep`))];
      }
      if (where.at(-1) === 'keep') return showOutcome(click, notice(`${title} is not deleted.`), parts);
      await parts.digests.remove(by, id);
      return showOutcome(
        click,
        notice(`${title} is deleted. Messages it already posted are not deleted.`),
        parts,
      );
    },
  },
  /** *Preview* beside a digest; its value begins with the id. Exactly what would be posted now, and whether it would be. */
  {
    id: 'digest-preview',
    async run({ value, principal: { account } }, parts) {
      const [id = ''] = value.split(' ');
      const digest = await parts.digests.get(await digestPrincipalHere(account, parts), id);
      const principal = await ownerOf(digest, parts);
      const whole = await parts.answers.answer(principal, digest.question, parts.now());
      const { answer, reasons } = await answerIn(digest.place, whole, principal, parts);
      const period = { digest, answer, run: { due: answer.asOf }, lateMs: null, missed: [] };
      const stored = await storeAnswer(account, answer, parts.answers);
      const { message, details } = await digestView(period, stored, parts);
      const lead =
        reasons.length > 0
          ? `I would *not* post this now. ${reasons.join(' ')} Only you see it:`
          : answer.isEmpty
            ? 'There is nothing to report now, so I would post nothing. Otherwise it looks like this:'
            : 'Preview, as I would post it now:';
      return [notice(lead), message, ...details.slice(0, MAX_DETAILS)];
    },
  },
  /**
   * *Become the owner* under the message that the owner of a channel's digest left; its value is the id. Everyone who reads
   * there can press it, an admin from anywhere. Messages that are out there name the action so.
   */
  {
    id: 'digest-take-over',
    async run({ value, principal: { account: user }, place: { channel } }, parts) {
      const by = await digestPrincipalHere(user, parts);
      const digest = (await parts.digests.list(by, channel)).find(({ id }) => id === value);
      const found = digest ?? (by.rights === 'admin' ? await parts.digests.get(by, value) : null);
      if (found === null) throw new AppError('unknown-digest', 'This digest is no longer posted here.');
      const name = titleWords(found);
      if (found.owner === user) return [notice(`${name} is yours. \`/tis digest\` shows it.`)];
      if ((await digestPrincipal(found.owner, parts)) !== null) {
        throw new AppError('owner-only', 'The owner of this digest is still active here.', [
          'Ask them or an admin to change the owner in /tis digest.',
        ]);
      }
      if ((await digestPrincipal(user, parts)) === null) {
        throw new AppError('unknown-person-asks', "Guests who aren't in the tracker can't own a digest.");
      }
      await parts.digests.takeOver(by, value, found.owner);
      return [notice(`${name} is yours now and runs with your permissions. \`/tis digest\` shows it.`)];
    },
  },
  /** *Change owner* beside a digest; its value is the id. */
  {
    id: 'digest-change-owner',
    run({ value, place: at, open }) {
      const [id = ''] = value.split(' ');
      return openView(() => open(ownerForm.view({ id, at, owner: null }, null)), 'Please try again.');
    },
  },
];

/** The digests of a channel and of an account as a message, from one of them (0 is the first) on. */
async function listDigests(
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
function digestListMessage(
  { lead, start, total }: { readonly lead: string; readonly start: number; readonly total: number },
  rows: readonly ListedDigest[],
  calendars: readonly CalendarDefinition[],
): Message {
  const part = rowsPart(start, total, 'digest-list');
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

/** Shows what became of a digest: in the list or the message of its button, else as one more message. */
async function showOutcome(click: Click, outcome: Message, parts: DigestParts): Promise<readonly Message[]> {
  const [, where, start] = click.value.split(' ');
  if (where === CARD) return showInstead(click, 'Digest', outcome, parts);
  if (where !== LIST) return [outcome];
  const list = await listDigests(click.principal.account, click.place.channel, Number(start), parts);
  return showInstead(click, 'Digests', list, parts);
}

/** A button beside a digest; its value is the id and what it is beside. */
function changing(change: 'pause' | 'resume', outcome: string): SlackAction<DigestParts> {
  return {
    id: `digest-${change}`,
    async run(click, parts) {
      const [id = ''] = click.value.split(' ');
      const by = await digestPrincipalHere(click.principal.account, parts);
      const digest = await parts.digests[change](by, id);
      const card = await digestCard(digest, `${titleWords(digest)} ${outcome}`, [], parts);
      return showOutcome(click, card, parts);
    },
  };
}

/** Slack takes five private messages for one click. */
const MAX_DETAILS = 3;

const ownerForm = defineForm({
  id: 'digest-new-owner',
  title: 'Change owner',
  submit: 'Change owner',
  carried: z.object({ id: z.string(), at: placeSchema }),
  reads: { owner: entered.account },
  rows: () => [
    field('owner', 'New owner', input.account),
    context(
      "The digest then runs with their permissions, and they are notified if it can't be posted. `me` in its report still means the person who created it.",
    ),
  ],
});

/** The new owner of a digest, submitted: both people are notified. */
export const newOwner: SlackModal<DigestParts> = ownerForm.modal({
  meanwhile: 'Checking the report with their permissions…',
  placeOf: ({ at }) => at,
  async answer({ id, owner: account }, { principal: { account: user } }, parts) {
    const newPrincipal = account === null ? null : await digestPrincipal(account, parts);
    if (account === null || newPrincipal === null) {
      throw badRequestAs(
        'unknown-name',
        "This account can't own a digest. Choose a member of this workspace.",
      );
    }
    const by = await digestPrincipalHere(user, parts);
    const { name } = await parts.accounts.profileOf(account);
    const digest = await parts.digests.get(by, id);
    const answered = parts.answers.answer(newPrincipal, digest.question, parts.now());
    const answer = await answered.catch((error: unknown): never => {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      throw badRequest(
        `The report doesn't work with ${name}'s permissions: ${sentencesOf(error).join(' ')}`,
        "The owner wasn't changed. Choose someone who can see its issues.",
      );
    });
    const { reasons } = await answerIn(digest.place, answer, newPrincipal, parts);
    const remarks = reasons.length === 0 ? [] : ["I can't post it right now.", ...reasons];
    await parts.digests.handOver(by, id, account);
    const title = titleWords(digest);
    if (account !== user) {
      const lead = `<@${user}> made you the owner of the digest ${title}. It now runs with your permissions; \`/tis digest\` shows it.`;
      await sendDirectMessage(account, notice(lead, ...remarks), parts);
    }
    return notice(`${title} now belongs to <@${account}>.`, ...remarks);
  },
});
