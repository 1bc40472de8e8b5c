import { type Finding, fine, note, problem, warning } from '../../../cli/finding.ts';
import { openSyncRecords } from '../../../mirror/sync/sync-records.ts';
import { readState } from '../../../mirror/sync/sync-state.ts';
import { AppError, failureText } from '../../../model/error.ts';
import type { Introduction } from '../../../model/sync.ts';
import { counted } from '../../../output/sync-text.ts';
import type { Check } from '../check.ts';
import type { DoctorContext } from '../doctor-context.ts';

/** The source of issues: the account of Dwell there, and its rights. */
export const trackerCheck: Check = {
  name: 'Tracker',
  needs: ['tracker'],
  async run(context) {
    const { live, hostedReporting } = context.config;
    const tracker = await context.tracker();
    if (live === null || tracker === null) return notConnected(context);
    const issues = hostedReporting === null;
    const facts: Introduction[] = [];
    const input = { issues, permissions: issues && live.decidedBy !== null };
    try {
      for await (const fact of tracker.connection.introduce(input)) facts.push(fact);
    } catch (error) {
      if (error instanceof AppError && error.data.kind === 'renewal') return [note(failureText(error))];
      throw error;
    }
    return [introduced(facts), ...facts.flatMap(findingOf), ...(await otherSite(facts, context))];
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
function introduced(facts: readonly Introduction[]): Finding {
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

function findingOf(one: Introduction): readonly Finding[] {
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
  facts: readonly Introduction[],
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
