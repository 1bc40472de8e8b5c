import { statSync } from 'node:fs';

/**
 * The suites that take longest, the longest first: one that begins when the others end leaves a processor without work.
 * Each took over five seconds alone on one processor; one that is not here any more changes nothing.
 */
const longest = [
  ...['types-and-style', 'recorded/recorded', 'main', 'http/endpoint-table', 'store/killed-digest'],
  ...['playground/socket-app', 'mirror/sync/jira', 'store/sqlite/restored', 'cli/commands/sync-jira'],
  ...[
    'slack/app/send-privately',
    'store/killed-export',
    'store/postgres/move-killed',
    'playground/furnished',
  ],
  ...['slack/ask/free-questions', 'api/digests/periods', 'http/many-at-once', 'cli/killed-backup'],
];

/** Runs the suites that take longest first, and the others by their size, as a first run of jest does. */
export default class LongestFirst {
  sort(suites) {
    const placeOf = ({ path }) => {
      const place = longest.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
      return place < 0 ? longest.length : place;
    };
    const bytesOf = ({ path }) => statSync(path).size;
    return suites.toSorted((one, other) => placeOf(one) - placeOf(other) || bytesOf(other) - bytesOf(one));
  }

  allFailedTests(suites) {
    return suites;
  }

  cacheResults() {}
}
