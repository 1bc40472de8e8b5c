import type { Click } from '../action.ts';
import type { DoorParts } from '../command.ts';
import { askingOf } from '../questions/read-question.ts';
import { builderFacts } from './builder-facts.ts';
import type { BuilderForm } from './builder-form.ts';
import { builderView } from './builder-view.ts';
import { readBuilder } from './read-builder.ts';

/** Shows the builder anew after a choice on which others depend; what was entered stays. `change` may alter the form. */
export async function refillBuilder(
  { view, principal: { account } }: Click,
  parts: DoorParts,
  change: (form: BuilderForm) => BuilderForm | Promise<BuilderForm> = (form) => form,
): Promise<readonly []> {
  if (view === null) return [];
  const form = await change(readBuilder(view));
  const asking = await askingOf(account, form.place, parts);
  await view.replace(builderView(form, await builderFacts(form, account, asking, parts)));
  return [];
}
