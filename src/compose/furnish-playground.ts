import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { IssuePage } from '../../playground/issue-page.ts';
import { agingKind } from '../api/answers/aging/aging-kind.ts';
import { summarizeIssue } from '../api/answers/issue/issue-summary.ts';
import type { WeeklyQuestion } from '../api/answers/weekly/nine-weeks.ts';
import { visitParts } from '../api/answers/why/explain-parts.ts';
import type { ReportingApi } from '../api/reporting/reporting-api.ts';
import type { Digest, DigestRun } from '../model/digest.ts';
import { AppError } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import { type Principal, principalIn } from '../model/request.ts';
import { durationWords } from '../output/readable-text.ts';
import type { ProvidedParts } from '../slack/app/parts.ts';
import type { SlackDoor } from '../slack/create-slack-app.ts';
import { dayAt, firstInstantFrom } from '../time/wall-clock.ts';

/** The page behind a link to an issue of the sample; null for any other issue. */
export async function samplePage(
  key: string,
  tenant: string,
  reporting: ReportingApi,
): Promise<IssuePage | null> {
  const principal = principalIn(tenant, '', 'admin');
  const issue = await summarizeIssue(reporting, principal, key).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  if (issue === null || issue.provenance.tracker !== 'sample') return null;
  const { visits } = await visitParts({ principal, calendar: 'normalHours', key: issue.key }, reporting);
  return {
    key: issue.key,
    summary: issue.summary,
    status: issue.current?.name ?? 'Unknown',
    assignee: issue.assignee?.name ?? null,
    history: visits.map(({ part: { label, from, countedMs } }) => ({
      status: label,
      since: from,
      duration: durationWords(countedMs ?? 0),
    })),
  };
}

const zone = 'Europe/Berlin';
const web = { by: 'project', project: 'WEB' } as const;
const channel = 'C0WEB';
const ada = 'U0ADA';

/** The parts of the playground that furnishing needs: its messages and its clock. */
interface Stage {
  /** Does something as if it were an instant that is past. */
  at<Result>(instant: Instant, work: () => Promise<Result>): Promise<Result>;
  postMessage(typed: { user: string; channel: string; text: string }): Promise<unknown>;
}

/**
 * Fills the playground with a morning at Kettle & Fern, by the ways people and schedules have: a conversation about two
 * issues that wait, and a digest of last week. `site` is where pages of issues are.
 */
export async function furnishPlayground(
  stage: Stage,
  slack: SlackDoor,
  {
    site,
    ...parts
  }: Pick<ProvidedParts, 'answers' | 'channels' | 'digests' | 'now'> & { readonly site: string },
): Promise<void> {
  const principal = await slack.digestNotifier.principalOf(ada);
  if (principal === null) return;
  const nine = morningOf(parts.now());
  const question = { kind: 'aging', selection: web, calendar: 'normalHours', timeZone: zone } as const;
  const { value } = await parts.answers.ask(agingKind, principal, question, nine);
  const [slowest, next] = value.issues;
  if (slowest === undefined || next === undefined) return;
  const { changedBy } = await parts.channels.channel(channel);
  if (changedBy === null) await parts.channels.changeChannel(channel, { unfurls: true }, principal.account);
  const says = (minutes: number, user: string, text: string) =>
    stage.at(nine + minutes * millisecondsInMinute, () => stage.postMessage({ user, channel, text }));
  const link = (key: string) => `${site}/browse/${key}`;
  await says(-9, 'U0BOB', `Morning! Is anyone looking at ${link(slowest.key)}? It has been a while.`);
  await says(-6, 'U0CARL', `I can take it after standup. ${link(next.key)} is waiting too.`);
  await stage.at(nine, () => postDigest(principal, nine, slack, parts));
  await says(4, ada, `Thanks! \`/tis aging WEB\` shows the rest.`);
}

/** Nine o'clock of today, or of yesterday while it is earlier. */
function morningOf(now: Instant): Instant {
  const today = dayAt(now, zone);
  const nineOf = (day: number) => firstInstantFrom(day, zone) + 9 * 60 * millisecondsInMinute;
  return nineOf(today) + 10 * millisecondsInMinute <= now ? nineOf(today) : nineOf(today - millisecondsInDay);
}

/** The digest that Ada has scheduled, as it was posted this morning. */
async function postDigest(
  principal: Principal,
  due: Instant,
  { digestNotifier }: SlackDoor,
  { answers, digests }: Pick<ProvidedParts, 'answers' | 'digests'>,
): Promise<void> {
  const owner = { ...principal, account: ada };
  const question: WeeklyQuestion = {
    kind: 'weekly',
    selection: web,
    week: 'last',
    calendar: 'normalHours',
    timeZone: zone,
  };
  const [known] = await digests.list(owner, channel);
  const digest: Digest =
    known ??
    (await digests.create(owner, {
      title: 'weekly WEB',
      question,
      place: { kind: 'channel', channel },
      schedule: { cron: '0 9 * * 1-5', timeZone: zone },
      workingDays: null,
      file: null,
    }));
  const answer = await answers.answer(principal, digest.question, due);
  const run: DigestRun = {
    digestId: digest.id,
    due,
    state: 'claimed',
    note: {},
    attempts: 1,
    message: null,
    skipReason: null,
    finishedAt: null,
  };
  let note: DigestRun['note'] = {};
  await digestNotifier.deliver({ digest, run, answer, lateMs: null, missed: [] }, async (changed) => {
    note = changed;
  });
  await digests.markPosted(owner, digest.id, due, note);
}
