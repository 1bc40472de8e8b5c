import { expect, test } from '#jest';
import { startStandInKeychain } from '../support/stand-in-keychain.ts';
import { startDwell } from '../support/start-dwell.ts';
import { assistantOf } from './assistant.ts';

const NOON = '2026-03-18T12:00:00.000Z';

test.each([true, false])('who covers, of a delegation service with lists: %s', async (lists) => {
  const service = await startStandInKeychain(
    {
      users: ['ada', 'bob', 'carl'],
      categories: [{ id: 1, name: 'Expense', description: '' }],
      records: [
        {
          ...{
            delegationId: 1,
            version: 1,
            active: true,
            delegator: 'bob',
            delegates: ['carl', 'ada'],
            notes: '',
          },
          ...{ categoryIds: [1], startDate: '2026-03-01T00:00Z', endDate: '2026-04-01T00:00Z' },
        },
      ],
      now: Date.parse(NOON),
      timeZone: 'UTC',
    },
    { lists },
  );
  const dwell = await startDwell({
    at: NOON,
    environment: {
      ...{ TRACKER: 'sample', DELEGATION_BASE_URL: service.baseUrl },
      ...{ DELEGATION_USER: 'reader', DELEGATION_PASSWORD: 'correct horse' },
    },
  });
  const ada = await assistantOf(dwell, 'ada', { admin: true });
  try {
    const ofAll = (await ada.call('who_covers', { user: 'bob' })).content;
    const both = ['carl', 'ada'].map((user) => ({
      user,
      name: expect.any(String),
      categories: ['Expense'],
    }));
    expect([ofAll.category, ofAll.coveredBy, ofAll.notes]).toEqual(
      lists
        ? [null, both, []]
        : [
            'general',
            [],
            ['The delegation service has no lists, so this is the category general alone. Try: a category.'],
          ],
    );
    const { content: one, text } = await ada.call('who_covers', { user: 'bob', category: 'expense' });
    expect([one.category, one.coveredBy, one.notes]).toEqual(['Expense', both, []]);
    expect(text).toContain(', to be asked in this order. Away: ');
  } finally {
    await ada.close();
    await dwell.stop();
    await service.close();
  }
});
