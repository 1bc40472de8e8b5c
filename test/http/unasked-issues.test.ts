import { expect, test } from '#jest';
import { isDecided } from '../../src/api/outcomes/read-table.ts';
import { doubtsIn } from '../../src/http/report/table.ts';
import { incompleteText } from '../../src/output/table-records.ts';
import { aProvenance } from '../support/a-provenance.ts';

test('issues the tracker could not be asked about are told where there are some, in files and messages too', () => {
  const some = aProvenance({ unasked: 7 });
  expect([doubtsIn(some), doubtsIn(aProvenance())]).toEqual([{ unaskedIssues: 7 }, {}]);
  expect(incompleteText(some)).toBe('7 issues left out because their permissions are unknown');
  expect([isDecided(some), isDecided(aProvenance())]).toEqual([false, true]);
});
