import { readFileSync } from 'node:fs';
import { fixture } from '../../support/fixture.ts';
import { leftFolder } from '../../support/left-folder.ts';
import type { RestAnswer } from '../../support/start-dwell.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

/** The holders of tokens; `root` is ada as an admin, `off` a deactivated token. */
export type Who = 'ada' | 'root' | 'bob' | 'off';

/** A folder that an earlier Dwell left, and its answers. */
export interface LeftOffice {
  readonly files: Readonly<Record<string, string>>;
  readonly at: string;
  readonly tokens: Readonly<Record<Who, string>>;
  readonly nextPageToken: string;
  readonly commands: readonly { readonly args: string[]; readonly lines: string[] }[];
}

/** Reads what an earlier Dwell left, from a fixture. */
export function readLeft<Left extends LeftOffice>(version: string): Left {
  return JSON.parse(readFileSync(fixture(`dwell-${version}.json`), 'utf8'));
}

/** The values in the lines of a fixture. */
export function fixtureLines<Line>(name: string): readonly Line[] {
  const lines = readFileSync(fixture(name), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** An answer over REST, to compare those of two versions. */
export interface RecordedAnswer {
  readonly who: Who;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

/** Names of members that differ between versions, or are random: the words of refusals, and tickets of downloads. */
const changing = ['pluginVersion', 'version', 'reason', 'messages', 'downloadLink', 'nextPageToken'];

/** The body of an answer without what differs between versions. */
export const comparable = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, one) => (changing.includes(name) ? undefined : one));

const person = (name: string, more = {}) => ({
  ...{ id: `U0${name.toUpperCase()}`, name, realName: name, email: `${name}@example.com` },
  ...{ tz: 'Europe/Berlin', ...more },
});
const people = [person('ada', { admin: true }), person('bob'), person('zoe')];
const members = people.map(({ id }) => id);

/** Starts this Dwell over a copy of the folder, in a Slack with its channels and people. */
export async function startOverLeft(version: string, { files, at, tokens, nextPageToken }: LeftOffice) {
  const place = await startDwellInSlack({
    ...{ dataDir: leftFolder(`dwell-${version}.sql`, files), people, at, slackWait: async () => {} },
    channels: [
      { id: 'C0REEF', name: 'reef', members },
      { id: 'C0TIDE', name: 'tide', members },
    ],
    environment: { TRACKER: 'file', TIME_ZONE: 'Europe/Berlin', BASE_URL: 'https://dwell.example' },
  });
  const get = (who: Who, path: string): Promise<RestAnswer> =>
    place.dwell.send('GET', path, { Authorization: `TISJWT ${tokens[who]}` });
  return {
    ...place,
    get,
    /** Reads the page after the one that the earlier Dwell returned. */
    async nextPage(): Promise<RestAnswer> {
      const question = 'filterType=project&projectKey=KELP&columnsBy=statusDuration&pageSize=3';
      return get('ada', `/rest/issues/v2?${question}&nextPageToken=${nextPageToken}`);
    },
    /** Has the clock's work done at an instant; a time counts once it was seen twice. */
    async passes(now: number): Promise<void> {
      place.dwell.clock.now = now;
      for (const _ of [1, 2]) {
        await place.dwell.tellsDigests();
        await place.dwell.tellsWatches();
        place.dwell.clock.now += 60_000;
      }
    },
  };
}
