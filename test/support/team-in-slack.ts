import type { Channel } from '../../playground/playground-options.ts';
import { exportFile, isAssignedTo, jiraIssue, jiraUser, movesTo, type RawIssue } from './jira-export.ts';
import { slackPerson } from './slack-person.ts';
import type { StandInOptions } from './stand-in-slack.ts';
import type { DwellOptions } from './start-dwell.ts';
import { startDwellInSlack } from './start-slack.ts';

/** Ada sees everything but secrets, bob no OPS; the tracker knows nothing of zoe, and gus is a guest in Slack. */
const people = [
  slackPerson('ada'),
  slackPerson('bob'),
  slackPerson('zoe'),
  slackPerson('gus', { guest: true }),
];
const members = ['U0ADA', 'U0BOB', 'U0ZOE'];

const channels: readonly Channel[] = [
  { id: 'C0TEAM', name: 'team', members },
  { id: 'C0GUESTS', name: 'with-guests' },
  { id: 'C0SHARED', name: 'with-others', members, sharedWith: 'others' },
  { id: 'C0QUIET', name: 'quiet', members, appIsMember: false },
];

/** Issues of three projects: WEB is open to everybody, OPS to ada alone, and of APP one is known to ada only. */
const issues: readonly RawIssue[] = [
  ...Array.from({ length: 12 }, (_, i) => finished(`WEB-${i + 1}`)),
  finished('OPS-1'),
  secret(finished('APP-1')),
  finished('APP-2'),
  jiraIssue('APP-3').at('2026-03-16T09:00:00.000Z', movesTo('In Progress')).onCloud(),
];

function finished(key: string): RawIssue {
  return jiraIssue(key, { created: '2026-03-02T09:00:00.000Z' })
    .at('2026-03-02T10:00:00.000Z', isAssignedTo('ada'))
    .at('2026-03-03T09:00:00.000Z', movesTo('In Progress'))
    .at('2026-03-10T09:00:00.000Z', movesTo('Done'))
    .onCloud();
}

function secret(issue: RawIssue): RawIssue {
  return { ...issue, fields: { ...issue.fields, security: { id: '10700', name: 'Staff' } } };
}

/** Issues tell their addresses by that of their site. */
function withSite(issue: RawIssue, site: string | undefined): RawIssue & { readonly self?: string } {
  return site === undefined ? issue : { ...issue, self: `${site}/rest/api/3/issue/${issue.id}` };
}

/** A Dwell in a stand-in Slack, with imported issues of which not everybody may see all. */
export async function startTeamInSlack(
  mode: 'http' | 'socket' = 'http',
  {
    site,
    environment = {},
    ...more
  }: Pick<StandInOptions, 'events' | 'unfurlDomains'> &
    Pick<DwellOptions, 'trackerBuilder' | 'environment' | 'dataDir' | 'slackWait'> & {
      readonly site?: string;
    } = {},
) {
  const place = await startDwellInSlack({
    ...more,
    ...{ mode, people, channels, at: '2026-03-18T12:00:00Z' },
    environment: { TRACKER: 'file', TIME_ZONE: 'UTC', BASE_URL: 'https://dwell.example', ...environment },
  });
  const { dwell, slack } = place;
  await dwell.types(
    'import',
    exportFile(issues.map((issue) => withSite(issue, site))),
    exportFile([jiraUser('ada'), jiraUser('bob')]),
  );
  await dwell.types('access', 'OPS', '--to', 'ada');
  await dwell.types('access', '--level', '10700', '--to', 'ada');
  return {
    ...place,
    /** Types a line as somebody in a channel; the one answer, which only they see. */
    async says(line: string, { as = 'ada', in: where = 'team' } = {}) {
      await slack.types(line, { as, in: where });
      return slack.privateReply();
    },
    /** Messages of the app that everybody in a channel sees. */
    openIn: (channel = 'C0TEAM') => slack.playground.messages(channel).filter(({ byApp }) => byApp),
  };
}
