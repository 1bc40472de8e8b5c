import { expect, test } from '#jest';
import { suiteDwell } from '../../support/suite-dwell.ts';

const dwell = suiteDwell();

const linesOf = async (...args: string[]) => (await dwell.types('audience', ...args)).lines;
const NO_LIST =
  'C012AB3CD has no project list: anything every Dwell user can see can be shared there, nothing if it has guests.';

test('tells, allows, forbids and resets, by the id of a channel', async () => {
  expect(await linesOf('C012AB3CD')).toEqual([NO_LIST]);
  expect(await linesOf('c012ab3cd', 'allow', 'web,app')).toEqual([
    'Projects that can be shared in C012AB3CD:',
    'APP',
    'WEB',
  ]);
  expect(await linesOf('C012AB3CD', 'allow', 'WEB', 'OPS', '--with-guests')).toEqual([
    'Projects that can be shared in C012AB3CD:',
    'APP',
    'OPS  with guests',
    'WEB  with guests',
  ]);
  expect(await linesOf('C012AB3CD', 'forbid', 'APP,OPS,WEB')).toEqual([
    'No project can be shared in C012AB3CD.',
  ]);
  expect(await linesOf('C012AB3CD', 'reset')).toEqual([NO_LIST]);
});

test.each([
  [[], "CHANNEL '' is not the ID"],
  [['#web'], "CHANNEL '#web' is not the ID of a Slack channel. Try: one such as C012AB3CD."],
  [['C0WEB', 'open'], "'open' is not known. Try: allow, forbid, reset."],
  [['C0WEB', 'allow'], 'PROJECT is missing after allow'],
  [['C0WEB', 'allow', 'W-1'], "project 'W-1' is not a project key"],
  [['C0WEB', 'forbid', 'WEB'], "project 'WEB' is not in the channel's list; in it: none."],
  [['C0WEB', 'reset', 'WEB'], 'reset takes nothing after it'],
  [['C0WEB', '--with-guests'], '--with-guests needs allow'],
])('%j is refused with what is allowed', async (args, words) => {
  await expect(dwell.types('audience', ...args)).rejects.toMatchObject({
    code: 'bad-request',
    details: [expect.stringContaining(words)],
  });
  expect(await linesOf('C0WEB')).toEqual([expect.stringContaining('has no project list')]);
});
