import { expect, test } from '@jest/globals';
import { shortcuts } from '../src/slack/shortcuts/index.ts';
import { startDwell } from './support/start-dwell.ts';

test('the playground offers the shortcuts that are answered', async () => {
  const dwell = await startDwell();
  const { json: state } = await dwell.get('/playground/state', { as: 'ada' }, {});
  const offered: { callbackId: string; type: string; name: string }[] = state.shortcuts;
  expect(offered.map(({ callbackId, type }) => ({ id: callbackId, type }))).toEqual(
    shortcuts.map(({ id, type }) => ({ id, type })),
  );
  for (const { name } of offered) expect(name).not.toBe('');
  await dwell.stop();
});
