import type { IssueAnswer } from '../../../api/answers/issue/issue-summary.ts';
import { BLOCKED_MARK, causesText, paceMark, timesUsual } from '../../../output/figure-words.ts';
import { durationWords, shorten } from '../../../output/readable-text.ts';
import { dayMsOf, dayRange, dayWords, type Wording } from '../../../output/wording.ts';
import { reasonText } from '../view/reason-text.ts';

/** Names of trackers are short; these lengths keep a message whole within Slack's limits when one is not. */
const NAME_LENGTH = 80;
const SUMMARY_LENGTH = 200;

/** Key, link and summary of an issue in one line. */
export function issueTitle(
  { key, summary, link }: Pick<IssueAnswer, 'key' | 'summary' | 'link'>,
  { bold, words, key: keyText }: Wording,
): string {
  const title = shorten(summary, SUMMARY_LENGTH);
  return bold(`${keyText(key, link)}${title === '' ? '' : ` · ${words(title)}`}`);
}

/** The time that a finished issue took, or the status of an open one and its time there, against what is usual. */
export function issueState(answer: IssueAnswer, timeZone: string, wording: Wording): string {
  const { current, finish, startedAt: begun, provenance, unknown, usual, tookMs } = answer;
  const { strong } = wording;
  const dayMs = dayMsOf(provenance.calendar);
  const days = { timeZone, near: provenance.asOf };
  const cut =
    unknown === null || !startsLate(answer)
      ? ''
      : ` History starts ${dayWords(unknown.until, days)}; earlier time is unknown.`;
  if (current === null) return `${strong('Status unknown')}${withText(answer, wording)}.${cut}`;
  const title = shorten(current.name, NAME_LENGTH) || '(no name)';
  if (current.kind === 'done') {
    if (finish === null) return `✅ ${strong(title)}${sinceText(answer, days)}.${cut}`;
    const by = finish.by === null ? '' : ` · finished by ${wording.person(finish.by)}`;
    const rounds = finish.rounds > 1 ? ` over ${finish.rounds} rounds` : '';
    if (begun === null) {
      const isUnclear = answer.statusesWithoutCategory.length > 0;
      const more = isUnclear ? rounds : ' · never in progress, so no cycle time';
      return `✅ ${strong(title)} on ${dayWords(finish.finishedAt, days)}${more}${by}`;
    }
    const took = `${strong(`Took ${durationWords(tookMs, dayMs)}`)} from start to done${rounds}`;
    return `✅ ${took} (${dayRange(begun, finish.finishedAt, days)})${usualText(tookMs, usual, dayMs)}${by}`;
  }
  const isStarted = current.kind !== 'queue';
  const mark = isStarted ? paceMark(paceOf(current.forMs, usual)) : '';
  const forHow =
    current.forMs === null
      ? `${strong(title)}, since when is unknown`
      : strong(`${title} for ${durationWords(current.forMs, dayMs)}`);
  const since =
    current.since === null || current.forMs === null ? '' : ` since ${dayWords(current.since, days)}`;
  const compared = current.forMs === null || !isStarted ? '' : usualText(current.forMs, usual, dayMs);
  const more = `${isStarted || begun !== null ? '' : ' · not started'}${answer.reopened ? ' · reopened' : ''}`;
  const who = answer.assignee === null ? ' · unassigned' : withText(answer, wording);
  return `${mark === '' ? '' : `${mark} `}${forHow}${who}${since}${compared}${more}${cut === '' ? '' : `.${cut}`}`;
}

/** Nothing is known of its beginning, and everything from an instant on. */
export function startsLate({ unknown, created, provenance }: IssueAnswer): boolean {
  return unknown !== null && unknown.from <= created && unknown.until < provenance.asOf;
}

function withText({ assignee }: IssueAnswer, { person }: Wording): string {
  return assignee === null ? '' : ` with ${person(assignee)}`;
}

function sinceText({ current }: IssueAnswer, days: Parameters<typeof dayWords>[1]): string {
  const since = current?.since ?? null;
  return since === null ? ', since when is unknown' : ` since ${dayWords(since, days)}`;
}

/** The ratio of a time (ms) to the usual 85th percentile; null where it is unknown. */
export function paceOf(ms: number | null, usual: IssueAnswer['usual']): number | null {
  return ms === null || usual === null || usual.p85Ms === 0 ? null : ms / usual.p85Ms;
}

function usualText(ms: number, usual: IssueAnswer['usual'], dayMs: number): string {
  const pace = paceOf(ms, usual);
  if (pace === null || usual === null) return '';
  const limit = durationWords(usual.p85Ms, dayMs);
  return pace < 1 ? ` · usual up to ${limit}` : ` · ${timesUsual(pace)} usual (${limit})`;
}

/** The causes that block an issue, since when and how often; or, if nothing does now, how often it was blocked, and for how long. */
export function blockedLine(
  { blocked, provenance }: IssueAnswer,
  timeZone: string,
  { strong, words, key, person }: Wording,
): string[] {
  if (blocked === null || blocked.times === 0) return [];
  const { now, times, blockedMs, episodes } = blocked;
  const dayMs = dayMsOf(provenance.calendar);
  const whole = durationWords(blockedMs, dayMs);
  if (now === null) {
    return [`Blocked ${times}× for ${whole} (${blocked.causes.map(({ kind }) => kind).join(', ')})`];
  }
  const causes = causesText(now.causes, ({ kind, name }) =>
    kind === 'link' ? key(name, null) : words(name),
  );
  const since =
    now.since === null ? '' : ` since ${dayWords(now.since, { timeZone, near: provenance.asOf })}`;
  const by = now.by === null ? '' : ` (${person(now.by)})`;
  const forHow = durationWords(episodes.at(-1)?.blockedMs ?? 0, dayMs);
  const all = times === 1 ? '' : ` · ${times}× for ${whole} in all`;
  return [`${BLOCKED_MARK} ${strong(`Blocked for ${forHow}`)} by ${causes}${since}${by}${all}`];
}

/** The latest answer to a nudge, as long as the issue stays where it was. */
export function reasonLine(
  { reason, current, provenance }: IssueAnswer,
  timeZone: string,
  { words }: Wording,
): string[] {
  if (current === null) return [];
  const days = { timeZone, near: provenance.asOf, words };
  const text = reasonText(reason, { statusId: current.id, since: current.since }, days);
  return text === null ? [] : [text];
}
