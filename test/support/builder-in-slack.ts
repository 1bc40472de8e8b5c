import { expect } from '#jest';
import type { Entries } from '../../playground/block-elements.ts';
import type { View } from '../../playground/open-views.ts';
import { until } from './local-exports.ts';
import type { startTeamInSlack } from './team-in-slack.ts';

type Place = Awaited<ReturnType<typeof startTeamInSlack>>;

/** A value as JSON. */
export const textOf = (value: unknown) => JSON.stringify(value);

/** The rows of the table among some blocks. */
export const tableIn = (blocks: readonly Readonly<Record<string, unknown>>[] = []) =>
  blocks.find(({ type }) => String(type).includes('table'))?.rows;

/** The builder once it is filled. */
export const filled = (place: Place, as = 'ada'): Promise<View> =>
  until(() => place.slack.openModals(as).find((view) => view.callback_id === 'report-builder') ?? null);

/** Issues chosen by a query, or by keys, alone. */
export const only = (jql: string): Entries => ({ 'builder-projects': null, jql });

/** The ids of the fields of a form. */
export const fieldsOf = (view: View) =>
  view.blocks.flatMap((block) => (block.type === 'input' ? [String(block.block_id).split('.')[0]] : []));

/** Opens the builder, and closes it first where it is open. */
export async function opens(place: Place, { as = 'ada', in: where = 'team' } = {}): Promise<View> {
  if (place.slack.openModals(as).length > 0) await place.slack.dismisses({ as });
  expect((await place.slack.types('/tis', { as, in: where })).ack?.outcome).toBe('ok');
  return filled(place, as);
}

/** What the modal says after it was submitted. */
export async function submits(place: Place, entries: Entries, as = 'ada'): Promise<string> {
  const { ack, errors } = await place.slack.submits(entries, { as });
  expect([ack?.outcome, errors]).toEqual(['ok', {}]);
  return until(() => {
    const text = textOf(place.slack.openModals(as)[0]?.blocks ?? '');
    return text.includes('Running the report…') ? null : text;
  });
}
