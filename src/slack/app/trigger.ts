import { z } from 'zod';

/** The origin of a payload of Slack: its kind, such as `command`, and its name out of the lists of the door; null: none of them. */
export interface SlackTrigger {
  readonly trigger: 'command' | 'action' | 'modal' | 'menu' | 'shortcut' | 'event';
  readonly name: string | null;
}

const named = z.string().optional().catch(undefined);

const payload = z.object({
  command: named,
  type: named,
  callback_id: named,
  action_id: named,
  actions: z
    .array(z.object({ action_id: named }))
    .optional()
    .catch(undefined),
  view: z.object({ callback_id: named }).optional().catch(undefined),
  event: z.object({ type: named }).optional().catch(undefined),
});

/** The trigger of a payload, whose name is only one of `known`: what is counted by it must be few. */
export function triggerOf(body: unknown, known: ReadonlySet<string>): SlackTrigger {
  const { data = {} } = payload.safeParse(body);
  const [trigger, name = ''] = namedTrigger(data);
  const id = name.split(':')[0] ?? '';
  return { trigger, name: known.has(id) ? id : null };
}

function namedTrigger(
  sent: Partial<z.output<typeof payload>>,
): readonly [SlackTrigger['trigger'], string | undefined] {
  if (sent.command !== undefined) return ['command', sent.command];
  switch (sent.type) {
    case 'block_actions':
      return ['action', sent.actions?.[0]?.action_id];
    case 'view_submission':
    case 'view_closed':
      return ['modal', sent.view?.callback_id];
    case 'block_suggestion':
      return ['menu', sent.action_id];
    case 'shortcut':
    case 'message_action':
      return ['shortcut', sent.callback_id];
    default:
      return ['event', sent.event?.type];
  }
}
