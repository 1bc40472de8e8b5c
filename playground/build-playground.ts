import { randomBytes } from 'node:crypto';
import { createPlayground, type Playground } from './create-playground.ts';
import type { Channel, Hint, Person, PlaygroundOptions } from './playground-options.ts';

/** A playground and the secrets it shares with the Slack door, made up anew at every start. */
export interface BuiltPlayground {
  readonly playground: Playground;
  readonly botToken: string;
  readonly signingSecret: string;
  readonly apiUrl: string;
}

/** `url` is where the server is reached; `exampleKeys` are issues worth asking about at this moment. */
export interface PlaygroundParts {
  readonly url: string;
  /** What the app's manifest declares, which Slack would be told. */
  readonly manifest: Required<Pick<PlaygroundOptions, 'commands' | 'shortcuts' | 'scopes' | 'events'>> &
    Required<Pick<PlaygroundOptions['app'], 'description' | 'messagesTab'>>;
  readonly exampleKeys: () => Promise<readonly string[]>;
  /** Where issues of the sample have a page, and what that shows; null: nowhere. */
  readonly site: string | null;
  readonly issue: Required<PlaygroundOptions>['issue'];
  /** Host names beside its own; null: only this machine itself is answered, and nothing a proxy has passed on. */
  readonly hosts: readonly string[] | null;
  /** What opens the page while it is needed; null: it never is. */
  readonly entry: PlaygroundOptions['entry'] | null;
  readonly now: () => number;
}

/** What stands in for Slack while no tokens are configured, mounted on the server it is reached under. */
export function buildPlayground({
  url,
  manifest,
  exampleKeys,
  site,
  issue,
  hosts,
  entry,
  now,
}: PlaygroundParts): BuiltPlayground {
  const { description, messagesTab, ...declared } = manifest;
  const secret = () => randomBytes(24).toString('hex');
  const [botToken, appToken, signingSecret] = [`xoxb-${secret()}`, `xapp-${secret()}`, secret()];
  const playground = createPlayground({
    botToken,
    appToken,
    signingSecret,
    people,
    channels,
    botUrl: () => url,
    url: () => url,
    now,
    signatureTime: Date.now,
    newId: () => randomBytes(8).toString('hex').toUpperCase(),
    team: { id: 'T0DWELL', name: 'Playground', domain: 'playground' },
    app: { id: 'A0DWELL', name: 'Dwell', botUserId: 'U0DWELL', botId: 'B0DWELL', description, messagesTab },
    ...declared,
    issue,
    ...(site === null
      ? {}
      : { events: [...declared.events, 'link_shared'], unfurlDomains: [new URL(site).hostname] }),
    hints: async () => hintsFor(await exampleKeys()),
    ...(hosts === null ? {} : { hosts, behindProxy: true }),
    ...(entry ? { entry } : {}),
  });
  return { playground, botToken, signingSecret, apiUrl: `${url}/playground/api/` };
}

const people: readonly Person[] = [
  { id: 'U0ADA', name: 'ada', realName: 'Ada', email: 'ada@example.com', tz: 'Europe/Berlin', admin: true },
  { id: 'U0BOB', name: 'bob', realName: 'Bob', email: 'bob@example.com', tz: 'America/New_York' },
  { id: 'U0CARL', name: 'carl', realName: 'Carl', email: 'carl@example.com', tz: 'Europe/Berlin' },
  { id: 'U0NINA', name: 'nina', realName: 'Nina', email: 'nina@example.com', tz: 'America/New_York' },
];

const channels: readonly Channel[] = [
  { id: 'C0WEB', name: 'web-team', topic: 'Shop and checkout' },
  { id: 'C0APP', name: 'app-team', topic: 'The mobile app' },
  { id: 'C0OPS', name: 'operations', topic: 'What customers report' },
];

/** The guided tour: six lines that work, about an issue that exists, of the team whose channel opens first if there is one. */
function hintsFor(keys: readonly string[]): readonly Hint[] {
  const cover = { text: 'Who is out this week, and who covers?', insert: '/delegates week' };
  const first = keys.find((key) => key.startsWith('WEB-')) ?? keys[0];
  if (first === undefined) return [cover];
  const project = first.slice(0, first.lastIndexOf('-'));
  return [
    { text: `Where did the time go on ${first}?`, insert: `/tis ${first}` },
    { text: 'How was last week?', insert: `/tis weekly ${project}` },
    { text: 'What is stuck?', insert: `/tis aging ${project}` },
    { text: 'What is waiting for me?', insert: '/tis mine' },
    { text: 'Post a report every Monday.', insert: `/tis digest weekly ${project} every monday at 9` },
    cover,
  ];
}
