import { expect, test } from '#jest';
import { startDwell } from '../support/start-dwell.ts';

test('the playground offers /delegates with mentions that arrive as ids, enough people for chains, and sends newcomers there', async () => {
  const dwell = await startDwell();
  try {
    const { json } = await dwell.get('/playground/state', { as: 'ada' }, {});
    expect(json.commands).toContainEqual(
      expect.objectContaining({ command: '/delegates', shouldEscape: true, usageHint: expect.any(String) }),
    );
    expect(json.commands).toContainEqual(expect.objectContaining({ command: '/tis', shouldEscape: false }));
    const people = JSON.stringify(json);
    for (const id of ['U0ADA', 'U0BOB', 'U0CARL', 'U0NINA']) expect(people).toContain(id);
    expect(json.hints).toContainEqual(expect.objectContaining({ insert: '/delegates week' }));
  } finally {
    await dwell.stop();
  }
});
