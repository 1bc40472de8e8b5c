import { expect, test } from '#jest';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import type { Mirror } from '../../../src/mirror/mirror.ts';
import { ask } from '../../../src/model/request.ts';
import { createSampleTracker } from '../../../src/trackers/sample/generate-sample.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { principalOf } from '../../support/principal-of.ts';

const now = () => Date.parse('2026-03-18T12:00:00Z');
const bob = principalOf('bob');

/** A mirror that notes when it is asked for everything it has. */
function watched(): { mirror: Mirror; everything: string[] } {
  const real = createMemoryMirror(createSampleTracker({ now }), now);
  const everything: string[] = [];
  const mirror: Mirror = {
    ...real,
    table: () => {
      everything.push('table');
      return real.table();
    },
    users: (ids) => {
      if (ids === undefined) everything.push('users');
      return real.users(ids);
    },
  };
  return { mirror, everything };
}

test('a report of one issue reads neither all issues nor all people, however many there are', async () => {
  const { mirror, everything } = watched();
  const reporting = localReporting(mirror, now);
  const expanded = await reporting.report(
    ask({ principal: bob, reportType: 'statusDurationExpanded', selection: { by: 'keys', keys: ['WEB-1'] } }),
  );
  expect(expanded.rows.some(({ cells }) => cells.transitionedBy?.value !== cells.transitionedBy?.id)).toBe(
    true,
  );
  expect(everything).toEqual([]);
});
