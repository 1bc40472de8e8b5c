import { millisecondsInHour } from 'date-fns/constants';
import { type Finding, fine, note, problem, warning } from '../../../cli/finding.ts';
import { openSyncRecords } from '../../../mirror/sync/sync-records.ts';
import { progressOf, readRejected, readState } from '../../../mirror/sync/sync-state.ts';
import { AppError, failureText } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import { type ConnectionFact, type SyncProgress, syncCommand } from '../../../model/sync.ts';
import { ageText } from '../../../output/readable-text.ts';
import { counted, fillText } from '../../../output/sync-text.ts';
import type { Check, DoctorContext } from '../doctor-context.ts';

/** The source of issues: the account of Dwell there, and its rights. */
export const trackerCheck: Check = {
  name: 'Tracker',
  needs: ['tracker'],
  async run(context) {
    const { live, hostedReporting } = context.config;
    const tracker = await context.tracker();
    if (live === null || tracker === null) return notConnected(context);
    const issues = hostedReporting === null;
    const facts: ConnectionFact[] = [];
    const input = { issues, permissions: issues && live.decidedBy !== null };
    try {
      for await (const fact of tracker.connection.checkConnection(input)) facts.push(fact);
    } catch (error) {
      if (error instanceof AppError && error.data.kind === 'renewal') return [note(failureText(error))];
      throw error;
    }
    return [reachedFinding(facts), ...facts.flatMap(findingOf), ...(await otherSite(facts, context))];
  },
};

async function notConnected({ config, data }: DoctorContext): Promise<readonly Finding[]> {
  if (config.hostedReporting !== null) return [note('none: the service in TIS_BASE_URL answers')];
  const stored = await data();
  const isSample = config.tracker === 'sample' || 'level' in stored;
  const imported = isSample ? 0 : await stored.issues('file').count();
  if (imported > 0) return [fine(`${counted(imported)} imported issues`)];
  return config.tracker === 'file'
    ? [warning('no issues yet: TRACKER is file, and nothing was imported.', 'Run `npx dwell import FILE`.')]
    : [note('none is configured: Dwell shows a fictional company')];
}

/** The site, the account and what it sees, as far as they are known. */
function reachedFinding(facts: readonly ConnectionFact[]): Finding {
  const text = facts.flatMap((one) => {
    if (one.about === 'site') return [`${one.product} at ${one.url}`];
    if (one.about === 'account') return [`as ${one.name}`];
    if (one.about === 'projects')
      return [`${counted(one.count)} ${one.count === 1 ? 'project' : 'projects'}`];
    return one.about === 'issues' && one.count !== null ? [`about ${counted(one.count)} issues`] : [];
  });
  return fine(text.join(', '));
}

const subjects = {
  account: 'the account of Dwell is unknown',
  projects: 'the projects that the account can browse are unknown',
  issues: 'the number of issues is unknown',
  permissions: 'it is unknown whether the account can read permissions',
};

function findingOf(one: ConnectionFact): readonly Finding[] {
  if (one.about === 'unknown') return [problem(`${subjects[one.what]}: ${one.why}`)];
  if (one.about === 'permissions' && one.refusal !== null)
    return [problem(`people see no issues, or not all. ${one.refusal}`)];
  if (one.about === 'issues' && one.count === 0) {
    const query = one.jql === null ? '' : ' Check JIRA_JQL.';
    return [warning('the account sees no issues.', `Let it browse the projects.${query}`)];
  }
  return [];
}

/** The finding that the stored issues are those of another address. */
async function otherSite(
  facts: readonly ConnectionFact[],
  { config, data }: DoctorContext,
): Promise<readonly Finding[]> {
  const store = await data();
  if ('level' in store || config.live === null) return [];
  const state = readState(await openSyncRecords(store, config.live.name).state());
  const site = facts.find((one) => one.about === 'site');
  if (state === null || site === undefined || state.site === site.url) return [];
  return [
    warning(
      `the stored issues are those of ${state.site}.`,
      'Run `npx dwell sync`: it finds out whether it is the same tracker at another address.',
    ),
  ];
}

const MAX_AGE_MS = millisecondsInHour;

/** The age of the stored issues, and what could not be read. */
export const syncCheck: Check = {
  name: 'Sync',
  needs: ['store', 'tracker'],
  async run({ config: { live, hostedReporting, syncSeconds }, data, now }) {
    if (live === null) return [note('not used: no tracker is connected')];
    const store = await data();
    if ('level' in store) return [store];
    const records = openSyncRecords(store, live.name);
    const state = readState(await records.state());
    if (state === null) return [note(`nothing was read yet; start Dwell, or run \`${syncCommand}\``)];
    const progress = progressOf(state, {
      rejected: await readRejected(records),
      query: live.query,
      withIssues: hostedReporting === null,
      startedAt: now(),
      problem: null,
    });
    const cut = await records.countCut();
    return [
      freshness(progress, now(), Math.max(MAX_AGE_MS, 10_000 * syncSeconds)),
      ...(progress.problem === null
        ? []
        : [
            warning(
              `the last turn failed ${ageText(now() - progress.problem.at)}: ${progress.problem.message}`,
            ),
          ]),
      ...withheldOf(cut, progress.withheld.length),
    ];
  },
};

function freshness(progress: SyncProgress, now: Instant, maxAgeMs: number): Finding {
  const { asOf, filled } = progress;
  if (!filled || asOf === null) return note(`the initial sync is under way: ${fillText(progress)}`);
  const age = now - asOf;
  const text = `issues are as they were ${ageText(age)}`;
  return age > maxAgeMs ? warning(`${text}.`, `Start Dwell, or run \`${syncCommand}\`.`) : fine(text);
}

function withheldOf(cut: number, withheld: number): readonly Finding[] {
  const parts = [
    ...(cut === 0 ? [] : [`incomplete histories: ${counted(cut)}`]),
    ...(withheld === 0 ? [] : [`lists and issues that cannot be read: ${counted(withheld)}`]),
  ];
  return parts.length === 0 ? [] : [note(`${parts.join(', ')}. \`${syncCommand}\` names them.`)];
}

/** The webhooks of the tracker: whether they are accepted, and when the last one came. */
export const webhooksCheck: Check = {
  name: 'Webhooks',
  needs: ['store', 'tracker'],
  async run({ config: { live, syncSeconds }, tracker, data, now }) {
    const webhooks = (await tracker())?.webhooks;
    if (live === null || webhooks === undefined) return [note('not used: no tracker is connected')];
    if (webhooks.secret === null)
      return [note(`not used: ${webhooks.setting} is not set, so changes are read every ${syncSeconds} s`)];
    const store = await data();
    if ('level' in store) return [store];
    const at = await openSyncRecords(store, live.name).nudgedAt();
    if (at === null)
      return [note('none came yet.', `Make one in ${live.title} that leads to /rest/webhooks/${live.name}.`)];
    return [fine(`the last event about an issue came ${ageText(now() - at)}`)];
  },
};
