import type { SectionBlock } from '@slack/types';
import type { Aging, AgingIssue } from '../../api/answers/aging/aging-answer.ts';
import type { WeeklyAggregates } from '../../api/answers/weekly/weekly-answer.ts';
import type { Delegation } from '../../model/delegation.ts';
import type { Digest } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import {
  blockedText,
  changeText,
  countOf,
  countWords,
  paceMark,
  timeText,
} from '../../output/figure-words.ts';
import { shorten } from '../../output/readable-text.ts';
import { dayMsOf, dayRange } from '../../output/wording.ts';
import { scheduleWords } from '../../time/read-schedule.ts';
import { zoneWords } from '../../time/zones.ts';
import { targetText } from '../answers/view/aging-rows.ts';
import { unknownAges } from '../answers/view/answer-warnings.ts';
import { marked } from '../answers/view/marked-wording.ts';
import { optionOf } from '../app/form-inputs.ts';
import type { SlackAction } from '../app/handler-types.ts';
import { MORE, someLines } from '../app/message-texts.ts';
import type { SlackParts } from '../app/parts.ts';
import { runButton } from '../app/show-failure.ts';
import { limits } from '../blocks/limits.ts';
import type { Message, MessageBlock } from '../blocks/message.ts';
import { button, context, dateMark, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { coverClause, periodText, workText } from '../delegates/cover-words.ts';
import { ruleWords } from '../watches/describe-watch.ts';
import type { Assigned, Cover, ProjectWeek, Scheduled, Weeks } from './gather-home.ts';

const SHOWN = 10;
const PEOPLE = 5;
const SHOWN_EACH = 3;
const KEY_LENGTH = 40;
/** A longer line would be cut within its link, and an option takes no longer address. */
const LINK_LENGTH = 500;

/** No key has small letters. */
const SHOW_ALL = 'all';

const NAME_LENGTH = 80;

/** A name as the tab shows it, escaped. */
export function nameText(name: string): string {
  return escapeMrkdwn(shorten(name, NAME_LENGTH));
}

/** The title of the part. */
export const assignedTitle = 'Assigned to you';

/**
 * The issues assigned to a person, longest against what is usual first, and below them those of the people they cover
 * for.
 */
export function assignedBlocks({ mine: { own, covered }, snoozed }: Assigned): readonly MessageBlock[] {
  const others = covered.filter(({ aging }) => aging.total > 0);
  const more = others.length - PEOPLE;
  const unknown = [...own.ageUnknown, ...covered.flatMap(({ aging }) => aging.ageUnknown)];
  const title = section(`*${assignedTitle}* · ${ownText(own, snoozed)}`);
  return [
    snoozed === 0 ? title : { ...title, accessory: button('Show snoozed', 'home-snooze', SHOW_ALL) },
    ...rowsOf(own, SHOWN),
    ...others.slice(0, PEOPLE).flatMap(({ person, category, aging }) => {
      const open = openText(aging.total, aging);
      const head = section(`*For ${marked.person(person)}* (${nameText(category)}) · ${open}`);
      return [head, ...rowsOf(aging, SHOWN_EACH)];
    }),
    ...(more > 0
      ? [
          context(
            `You cover for ${countWords(more)} more ${more === 1 ? 'person' : 'people'} with open issues.`,
          ),
        ]
      : []),
    ...unknownAges(unknown, own.provenance).map((warning) => context(warning.marked)),
  ];
}

function ownText(own: Aging, snoozed: number): string {
  const { total: count, ageUnknown: unknown, unclear, provenance } = own;
  const hidden = snoozed === 0 ? '' : ` · ${countWords(snoozed)} snoozed`;
  if (count + unknown.length > 0) return `${openText(count + unknown.length, own)}${hidden}`;
  if (snoozed > 0) return `nothing else open${hidden}`;
  return unclear.length + provenance.undecided > 0
    ? 'no open issue that I know of; the status category of some is unknown'
    : 'no open issues';
}

/** `9 open, 5 not started, 2 longer than usual`. */
function openText(
  count: number,
  { beyondUsual: beyond, notStarted }: Pick<Aging, 'beyondUsual' | 'notStarted'>,
): string {
  return [
    `${countWords(count)} open`,
    ...(notStarted.count > 0 ? [`${countWords(notStarted.count)} not started`] : []),
    ...(beyond > 0 ? [`${countWords(beyond)} longer than usual`] : []),
  ].join(', ');
}

function rowsOf({ issues, total: count, provenance }: Aging, max: number): SectionBlock[] {
  const dayMs = dayMsOf(provenance.calendar);
  const rows = issues.slice(0, max).map((issue) => rowOf(issue, dayMs, targetText(issue, provenance)));
  if (count <= max) return rows;
  const all = button('Show all', 'run-line', '/tis mine');
  return [...rows, section(`${countOf(count - max, 'more issue')}.`, all)];
}

/**
 * `WEB-1 Basket loses its items`, below it `🟡 In Review 3d 2h · usual up to 1d 4h`, and a menu of what can be done. Only a
 * time longer than usual is bold.
 */
function rowOf(issue: AgingIssue, dayMs: number, target: string | null): SectionBlock {
  const { key, summary, status, since, ageMs, usual: baseline, pace, link, blocked } = issue;
  const url = link === null || link.length > LINK_LENGTH ? null : link;
  const mark = paceMark(pace);
  const usual = baseline === null ? '' : ` · usual up to ${timeText(baseline.p85Ms, dayMs)}`;
  const time = timeText(ageMs, dayMs);
  const shown = baseline !== null && ageMs > baseline.p85Ms ? `*${time}*` : time;
  const waits = blocked ? ` · ${blockedText(blocked, (cause) => nameText(cause.name))}` : '';
  const goal = target === null ? '' : ` · ${target}`;
  const age = `${mark === '' ? '' : `${mark} `}${nameText(status.name)} ${shown}${usual}${goal}${waits}`;
  const option = (text: string, value: string) => optionOf(text, value.slice(0, limits.option.value));
  const options = [
    ...(url === null ? [] : [{ ...option('Open in Jira', `open-issue ${key}`), url }]),
    option('Time in status', `run-line /tis ${key}`),
    option('Snooze for 3 days', `home-snooze ${key} ${since}`),
  ];
  return section(`${marked.key(shorten(key, KEY_LENGTH), url)} ${nameText(summary)}\n${age}`, {
    type: 'overflow',
    action_id: MORE,
    options,
  });
}

/**
 * *Snooze* beside an issue hides it on the Home tab for three days, or until its status changes; its value is the key and
 * since when it is in the status, or `all`, which shows all again.
 */
export const homeSnooze: SlackAction<Pick<SlackParts, 'homes'>> = {
  id: 'home-snooze',
  async run({ value, principal: { account } }, { homes }) {
    const [key = '', since = ''] = value.split(' ');
    await homes.snooze(account, key === SHOW_ALL ? null : { key, since: Number(since) });
    await homes.show(account);
    return [];
  },
};

const SCHEDULED = 5;
const REASON_LENGTH = 200;

/** The title of the part. */
export const scheduleTitle = 'Digests and watches';

/** Someone's digests, failed ones first, and their watches. `timeZone`: theirs; null while it is unknown. */
export function scheduleBlocks(
  { digests, watches }: Scheduled,
  timeZone: string | null,
): readonly MessageBlock[] {
  const failedFirst = digests.toSorted((a, b) => Number(hasFailed(b)) - Number(hasFailed(a)));
  if (digests.length + watches.length === 0)
    return [section(`*${scheduleTitle}*\nNone yet. Choose *Schedule* to have any report posted regularly.`)];
  return [
    ...listBlocks('Digests', '/tis digest', failedFirst, (one) => digestLine(one, timeZone)),
    ...listBlocks('Watches', '/tis watch', watches, (one) => {
      return `${escapeMrkdwn(ruleWords(one))}${one.paused ? ' · paused' : ''}`;
    }),
  ];
}

function listBlocks<One>(
  title: string,
  command: string,
  all: readonly One[],
  line: (one: One) => string,
): readonly MessageBlock[] {
  if (all.length === 0) return [];
  const more = all.length - SCHEDULED;
  const lines = [
    `*${title}*`,
    ...all.slice(0, SCHEDULED).map((one) => `• ${line(one)}`),
    ...(more > 0 ? [`… and ${countWords(more)} more`] : []),
  ];
  return [section(lines.join('\n'), button('Manage', 'run-line', command))];
}

function hasFailed({ lastRun }: Digest): boolean {
  return lastRun?.state === 'failed';
}

/** `weekly WEB in #web, every Monday at 09:00 · next Nov 23 at 9:00 AM`. */
function digestLine(digest: Digest, timeZone: string | null): string {
  const { title, schedule, place, paused, nextDue, lastRun } = digest;
  const where = place.kind === 'channel' ? ` in <#${escapeMrkdwn(place.channel)}>` : '';
  const zone = schedule.timeZone === timeZone ? '' : ` (${escapeMrkdwn(zoneWords(schedule.timeZone))})`;
  const next = paused ? 'paused' : nextDue === null ? 'no next run' : `next ${dateMark(nextDue)}`;
  const why = escapeMrkdwn(shorten(lastRun?.message ?? 'no reason given', REASON_LENGTH));
  const line = `*${nameText(title)}*${where}, ${nameText(scheduleWords(schedule.cron))}${zone} · ${next}`;
  return hasFailed(digest) ? `:warning: ${line} · failed: ${why}` : line;
}

/** The title of the part. */
export const coverTitle = 'Out-of-office cover';

/** The people who cover for a person and those they cover for, today and in the next two weeks. */
export function coverBlocks(cover: Cover | Message | null, at: Instant): readonly MessageBlock[] {
  if (cover === null) return [];
  if ('text' in cover) return [section(`*${coverTitle}*`), ...cover.blocks.slice(0, 3)];
  const { self: reader, delegations, hasGaps, ...names } = cover;
  const words = { ...names, reader, now: at, time: dateMark };
  const line = (one: Delegation) =>
    `${coverClause(one, words)}${workText(one.categoryIds, words)} ${periodText(one, at, words)}.`;
  const lines = [
    ...someLines(
      delegations.filter(({ delegates }) => delegates.includes(reader)),
      line,
    ),
    ...someLines(
      delegations.filter(({ delegator }) => delegator === reader),
      line,
    ),
    ...(hasGaps ? [':warning: Part of this time has no cover: *This week* shows when.'] : []),
  ];
  const shown = lines.length > 0 ? lines : ['No one covers for you, and you cover for no one.'];
  return [section([`*${coverTitle}*`, ...shown].join('\n'), runButton('/delegates week', 'This week'))];
}

const PROJECT_LENGTH = 60;

/** The title of the part. */
export const weekTitle = 'Your week';

/** The last whole week of someone's projects: three figures each, and the way to all of it. */
export function weekBlocks({ weeks, chosen }: Weeks): readonly MessageBlock[] {
  const which = chosen ? '' : ' · where most of your issues are';
  const none =
    "\nNo issue is assigned to you, so I don't know which projects are yours. *Choose projects* sets them.";
  return [
    section(
      `*${weekTitle}*${weeks.length === 0 ? none : which}`,
      button('Choose projects', 'run-line', '/tis settings'),
    ),
    ...weeks.flatMap(projectBlocks),
  ];
}

function projectBlocks(one: ProjectWeek): readonly MessageBlock[] {
  const project = shorten(one.project, PROJECT_LENGTH);
  const name = `*${escapeMrkdwn(project)}*`;
  if ('why' in one) return [section(name), ...one.why.blocks.slice(0, 1)];
  const { week, provenance } = one.weekly;
  const { timeZone } = provenance;
  const number = Number(week.id.slice(week.id.indexOf('W') + 1));
  const days = dayRange(week.start, week.end - 1, { timeZone, near: provenance.asOf });
  const cut = provenance.complete ? '' : ' · some histories are cut';
  return [
    {
      ...section(`${name} · week ${number} (${days})${cut}`),
      fields: fieldsOf(one.weekly),
      accessory: button('Open', 'run-line', `/tis weekly ${project}`),
    },
  ];
}

/** Percentiles of one issue would say nothing. */
function fieldsOf({ finished, cycleTime, provenance }: WeeklyAggregates) {
  const dayMs = dayMsOf(provenance.calendar);
  const time = (ms: number) => timeText(ms, dayMs);
  const { week, weekBefore, eightWeeks } = cycleTime;
  const named = finished.week === null ? 'Finished: unknown' : `${countWords(finished.week)} finished`;
  const count = field(named, finished, countWords, 'count', 'average');
  if (week.medianMs === null || week.p85Ms === null) return [count];
  const alone = { week: null, weekBefore: null, eightWeeks: null };
  if (week.count === 1)
    return [count, field(`Cycle time ${time(week.medianMs)}`, alone, time, 'time', 'median')];
  const weeksOf = (name: 'median' | 'p85') => {
    return {
      week: week[`${name}Ms` as const],
      weekBefore: weekBefore[`${name}Ms` as const],
      eightWeeks: eightWeeks[`${name}Ms` as const],
    };
  };
  return [
    count,
    field(`Median cycle time ${time(week.medianMs)}`, weeksOf('median'), time, 'time', 'median'),
    field(`p85 ${time(week.p85Ms)}`, weeksOf('p85'), time, 'time', 'p85'),
  ];
}

/** A figure with its change; nothing is compared with a week that is unknown. */
function field(
  figure: string,
  { week, weekBefore, eightWeeks }: WeeklyAggregates['finished'],
  write: (value: number) => string,
  unit: 'count' | 'time',
  of: 'average' | 'median' | 'p85',
) {
  const change = changeText(week, weekBefore, write, unit);
  const average = week === null || eightWeeks === null ? '' : `\n8-week ${of} ${write(eightWeeks)}`;
  const text = `*${figure}*${change === null ? '' : ` ${change}`}${average}`;
  return { type: 'mrkdwn', text, verbatim: true } as const;
}
