import type { KnownBlock } from '@slack/types';
import type { NotifiedVisit, WatchesApi } from '../../api/watches/watches-api.ts';
import { AppError } from '../../model/error.ts';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import { type Principal, principalIn } from '../../model/request.ts';
import type { Watch } from '../../model/watch.ts';
import { shorten } from '../../output/readable-text.ts';
import { wordedText } from '../answers/view/marked-wording.ts';
import type { Place, SlackAction, SlashCommand } from '../app/handler-types.ts';
import { moreMenu, notice, ROWS, rowsPart } from '../app/message-texts.ts';
import { showInstead } from '../app/open-view.ts';
import type { PeopleParts, SlackParts, WatchParts } from '../app/parts.ts';
import { lineRefusal, orElse, typedSentences } from '../app/show-failure.ts';
import { isUnnamed, namesOf, readWatchWords, watchUsage } from '../ask/grammar/read-watch.ts';
import { examplesFor, helpTopic } from '../ask/help.ts';
import { exampleKey, parserContextOf } from '../ask/parser-context-of.ts';
import type { Message } from '../blocks/message.ts';
import { actions, button, context, escapeMrkdwn, lineText, section } from '../blocks/mrkdwn.ts';
import { digestPrincipalHere, principalOrNobody } from '../people/accounts.ts';
import { beginWatch, notifiesWords, ruleWords } from './describe-watch.ts';
import { openCoverageForm, openWatchForm } from './watch-form.ts';

/** An account's own watches as a message, from one of them (0 is the first) on. */
async function listWatches(
  account: string,
  parts: PeopleParts & Pick<SlackParts, 'channels' | 'watches' | 'reporting'>,
  start = 0,
): Promise<Message> {
  const { watches } = parts;
  const principal = principalIn(parts.people.tenant, account);
  const listed = (await watches.list(principal)).map(async (watch) => ({
    watch,
    last: await watches.lastNotified(principal, watch.id),
  }));
  return watchListMessage(await Promise.all(listed), await exampleRule(account, parts), start);
}

const TROUBLE_LENGTH = 100;
const KEY_LENGTH = 40;
const LIST = 'list';

/** A watch, and its last alert; null: none yet. */
interface ListedWatch {
  readonly watch: Watch;
  readonly last: NotifiedVisit | null;
}

/** Watches from one of them (0 is the first) on, a row each; `example` is what a new one could be typed as. */
function watchListMessage(all: readonly ListedWatch[], example: string, start = 0): Message {
  const shown = all.slice(start, start + ROWS);
  const part = rowsPart(start, all.length, 'watch-list');
  const head = all.length === 0 ? 'You have no watches yet.' : `*Your watches*${part.text}`;
  const lines = shown.map(({ watch, last }) =>
    wordedText(({ strong, words, date }) => {
      const at = last === null ? '' : `${date(last.at)} (${words(shorten(last.key, KEY_LENGTH))})`;
      const alerted = last === null ? 'no alerts yet' : `last alert ${at}`;
      const trouble = watch.trouble === undefined ? '' : `: ${words(shorten(watch.trouble, TROUBLE_LENGTH))}`;
      return `${strong(ruleWords(watch))}\n${watch.paused ? `Paused${trouble}` : 'Active'} · ${notifiesWords(watch)} · ${alerted}`;
    }),
  );
  const footer = `Create one: ${lineText(`/tis watch ${example}`)}`;
  return {
    text: [head, ...lines.map(({ plain }) => escapeMrkdwn(plain)), footer].join('\n'),
    blocks: [
      section(head),
      ...shown.map(({ watch: { id, paused } }, i): KnownBlock => {
        const value = `${id} ${LIST} ${start}`;
        const accessory = moreMenu([
          paused ? ['Resume', 'watch-resume', value] : ['Pause', 'watch-pause', value],
          ['Delete', 'watch-delete', value],
        ]);
        return section(lines[i]?.marked ?? '', accessory);
      }),
      actions(button('New watch', 'watch-new', 'new'), ...part.turns),
      context(footer),
    ],
  };
}

/** The buttons of lists and alerts of watches. */
export const watchActions: readonly SlackAction<WatchParts>[] = [
  /** *Next* and *Previous* below a list; its value is the first watch of that part. */
  {
    id: 'watch-list',
    async run(click, parts) {
      const list = await listWatches(click.principal.account, parts, Number(click.value));
      return showInstead(click, 'Watches', list, parts);
    },
  },
  /** *Delete* beside a watch. */
  changing('watch-delete', 'The watch is deleted. `/tis watch` shows the others.', (watches, by, id) =>
    // It is gone after a second click as well.
    orElse(watches.remove(by, id), () => null, 'not-found'),
  ),
  /** *Pause* beside a watch. */
  changing('watch-pause', 'The watch is paused. Resume it in `/tis watch`.', (watches, by, id) =>
    watches.pause(by, id),
  ),
  /** *Resume* beside a paused watch. */
  changing('watch-resume', 'The watch is active again.', (watches, by, id) => watches.resume(by, id)),
  /** *Mute* where another person's watch alerted; its value is the id. */
  {
    id: 'watch-mute',
    async run({ principal: { account }, value }, { watches }) {
      const rule = escapeMrkdwn(ruleWords(await watches.mute(value, account)));
      return [notice(`Muted: ${rule}. Its owner gets these alerts instead.`)];
    },
  },
];

/** Changes a watch; its value is the id and what it is beside. The list that it is in shows that, elsewhere a sentence. */
function changing(
  id: string,
  outcome: string,
  change: (watches: WatchesApi, by: Principal, watchId: string) => Promise<unknown>,
): SlackAction<WatchParts> {
  return {
    id,
    async run(click, parts) {
      const { account } = click.principal;
      const [watchId = '', where, start = '0'] = click.value.split(' ');
      await change(parts.watches, await digestPrincipalHere(account, parts), watchId);
      if (where === undefined) return [notice(outcome)];
      return showInstead(click, 'Watches', await listWatches(account, parts, Number(start)), parts);
    },
  };
}

const NO_EXAMPLE = 'STATUS longer than 3 working days in PROJECT';

/**
 * An example of a new watch that an account could type: a status and a project it can see, a review where there is one.
 */
async function exampleRule(
  account: string,
  parts: PeopleParts & Pick<SlackParts, 'channels' | 'reporting'>,
  place: Pick<Place, 'channel'> = { channel: account },
): Promise<string> {
  const principal = await principalOrNobody(account, parts);
  const key = principal === null ? null : await exampleKey(principal, place, account, parts);
  if (principal === null || key === null) return NO_EXAMPLE;
  const names = namesOf(await parts.reporting.statuses(principal));
  const name = names.find((one) => /review/i.test(one)) ?? names[0] ?? 'STATUS';
  const status = /\s/.test(name) ? `"${name}"` : name;
  return `${status} longer than 3 working days in ${projectKeyOf({ key })}`;
}

const listWords = /^(list|pause|resume|stop|delete|remove|snooze)?$/;

/** `/tis watch`: alerts people when an issue stays in a status too long. */
export const tisWatch: SlashCommand<WatchParts> = {
  root: '/tis',
  word: 'watch',
  usage: `/tis watch [new|${watchUsage}]`,
  summary:
    'alert the assignee when an issue stays in a status too long, or misses its target; alone: your watches',
  examples: [
    '/tis watch "In Review" longer than 3 working days in WEB',
    '/tis watch "In Review" longer than usual in WEB alert me',
    '/tis watch WEB target',
    '/tis watch new',
  ],
  details:
    'While the assignee is away, the person who covers for them gets the alert; if neither can be reached, you do. Alerts come once per stay, by direct message, at most one an hour, in the working hours of the calendar (8 AM to 6 PM on weekdays without one). Without FILTER, a form shows what a watch of the default project would cover before you create it. Usual is the 85th percentile of the stays that ended within 90 days. A target is for the time from start to done, as the flow of the project sets it, else the 85th percentile of 90 days; its alert comes once per issue.',
  async answer(invocation, parts) {
    const { account } = invocation.principal;
    const first = invocation.words[0]?.toLowerCase() ?? '';
    const isRule = invocation.words.some((word) => /^(longer|target)$/i.test(word));
    if (!isRule && listWords.test(first)) return [await listWatches(account, parts)];
    if (!isRule && first === 'help') {
      const ours = parts.commands.filter(({ root }) => root === '/tis');
      return [helpTopic(ours, 'watch')];
    }
    if (invocation.words.length === 1 && first === 'new') return openWatchForm(invocation, parts);
    const context = await parserContextOf(account, invocation.place, parts);
    try {
      const statuses = await parts.reporting.statuses(context.principal);
      const read = await readWatchWords(invocation.text, context, statuses);
      if (isUnnamed(read)) return await openCoverageForm(read, context, invocation, parts);
      return [await beginWatch(read.input, read.remarks, account, parts)];
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
      const lines = [`/tis watch ${await exampleRule(account, parts, invocation.place)}`, '/tis watch new'];
      const advice = await examplesFor(invocation, () => lines, parts);
      return [lineRefusal(error, `/tis watch ${invocation.text}`, typedSentences(error), advice)];
    }
  },
};
