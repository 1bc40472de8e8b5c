import type { Ack } from './ack.ts';
import type { Entry } from './input-state.ts';
import type { Json } from './json.ts';
import { interactionParts } from './payload-parts.ts';
import { type ElementName, findElement, findPlace } from './place.ts';
import type { Stage } from './stage.ts';

/** A click on a button, or a choice made in another element. */
export interface Click extends ElementName {
  /** What was chosen; a button needs none. */
  readonly entry?: Entry;
}

/** Tells the app that somebody used an element. */
export async function click(stage: Stage, made: Click): Promise<Ack> {
  const before = findPlace(stage, made.user, made.place);
  const { blockId, element } = findElement(before, made);
  if (made.entry !== undefined)
    stage.inputs.enter(before.key, { [`${blockId}.${made.actionId}`]: made.entry });
  const place = findPlace(stage, made.user, made.place);
  const original = place.message;
  const ack = await stage.deliver('interactive', {
    type: 'block_actions',
    ...interactionParts(stage, made.user),
    ...place.parts,
    trigger_id: stage.triggers.issue(made.user),
    ...(original
      ? { response_url: stage.responseUrls.issue({ user: made.user, channel: original.channel, original }) }
      : {}),
    actions: [
      {
        action_id: made.actionId,
        block_id: blockId,
        action_ts: stage.workspace.nextTs(),
        ...actionPart(stage, element, made.entry),
      },
    ],
  });
  if (ack.outcome !== 'ok')
    stage.workspace.tell({
      kind: 'notice',
      user: made.user,
      text: `${stage.options.app.name} did not respond. Try again.`,
    });
  return ack;
}

function actionPart(stage: Stage, element: Json, entry: Entry | undefined): Json {
  const { type, text, value, style, url } = element;
  const present = Object.entries({ text, value, style, url }).filter(([, member]) => member !== undefined);
  if (type === 'button' || type === 'workflow_button') return { type, ...Object.fromEntries(present) };
  if (type === 'feedback_buttons' || type === 'icon_button') return { type, value: entry ?? value ?? '' };
  return stage.inputs.chosen(element, entry ?? null);
}
