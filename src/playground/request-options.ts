import { limits } from '../block-kit/limits.ts';
import { isJson, type Json, objectsOf } from './json.ts';
import { interactionParts } from './payload-parts.ts';
import { type ElementName, findElement, findPlace } from './place.ts';
import type { Stage } from './stage.ts';

/** Something typed into a menu whose options come from the app. */
export interface OptionQuery extends ElementName {
  readonly query: string;
}

/** The options the app offers; `failed` where Slack would show that none could be loaded. */
export type OfferedOptions =
  | { readonly options: readonly Json[]; readonly groups: readonly Json[] }
  | { readonly failed: string };

/** Asks the app for the options of an external menu. */
export async function requestOptions(stage: Stage, asked: OptionQuery): Promise<OfferedOptions> {
  const place = findPlace(stage, asked.user, asked.place);
  const { blockId } = findElement(place, asked);
  const ack = await stage.deliver('interactive', {
    type: 'block_suggestion',
    ...interactionParts(stage, asked.user),
    ...place.parts,
    action_id: asked.actionId,
    block_id: blockId,
    value: asked.query,
  });
  if (ack.outcome !== 'ok') return { failed: ack.outcome };
  const body = isJson(ack.body) ? ack.body : {};
  const groups = objectsOf(body.option_groups);
  const options = objectsOf(body.options);
  const all = [...options, ...groups.flatMap((group) => objectsOf(group.options))];
  if (all.length > limits.select.options) return { failed: 'too_many_options' };
  stage.inputs.offer(all);
  return { options, groups };
}
