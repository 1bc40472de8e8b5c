import { expect, test } from '#jest';
import { createInputState } from '../../playground/block-elements.ts';
import { objectsOf } from '../../playground/slack-json.ts';
import { readInputs } from '../../src/slack/app/form-inputs.ts';
import { checkView } from '../../src/slack/blocks/check-blocks.ts';
import { coverForm } from '../../src/slack/delegates/cover-form.ts';

const categories = [1, 2, 3].map((id) => ({ id, name: `Category ${id}`, description: '' }));
const form = {
  place: { channel: 'C0GENERAL', threadTs: null },
  owner: 'U0ADA',
  delegates: [],
  first: '',
  last: '',
  from: Date.parse('2026-03-18T13:00:00Z'),
  until: Date.parse('2026-03-25T13:00:00Z'),
  categoryIds: [],
  notes: '',
};
const blocksOf = (given: Partial<Parameters<typeof coverForm.view>[0]>) => {
  const view = coverForm.view({ ...form, ...given }, categories);
  expect(checkView(view)).toEqual([]);
  return objectsOf(view.blocks);
};

test('an untouched form is sent with what it was opened with, each kind of input as Slack sends it', () => {
  const values = createInputState().valuesOf(
    'U0ADA V1',
    blocksOf({ delegates: ['U0BOB'], categoryIds: [2] }),
  );
  expect(values).toEqual({
    for: { for: { type: 'users_select', selected_user: 'U0ADA' } },
    who: { who: { type: 'multi_users_select', selected_users: ['U0BOB'] } },
    from: { from: { type: 'datetimepicker', selected_date_time: 1773838800 } },
    until: { until: { type: 'datetimepicker', selected_date_time: 1774443600 } },
    categories: {
      categories: {
        type: 'multi_static_select',
        selected_options: [{ text: { type: 'plain_text', text: 'Category 2' }, value: '2' }],
      },
    },
    notes: { notes: { type: 'plain_text_input', value: null } },
  });
});

test('what is entered is sent in the order of choosing, and read as instants, accounts, options and text', () => {
  const inputs = createInputState();
  const entries = {
    who: ['U0CHI', 'U0BEN'],
    from: '1773900000',
    categories: ['3', '1'],
    notes: 'two\nlines',
  };
  inputs.enter('U0ADA V1', entries);
  const values = inputs.valuesOf('U0ADA V1', blocksOf({}));
  expect(readInputs(values as unknown as Parameters<typeof readInputs>[0])).toEqual({
    chosen: {},
    chosenAll: { categories: ['3', '1'] },
    accounts: { for: ['U0ADA'], who: ['U0CHI', 'U0BEN'] },
    instants: { from: 1773900000_000, until: form.until },
    texts: { notes: 'two\nlines' },
  });
});
