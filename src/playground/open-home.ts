import type { Ack } from './ack.ts';
import { personOf } from './payload-parts.ts';
import { sendEvent } from './send-event.ts';
import type { Stage } from './stage.ts';

/** Tells the app that somebody looks at its Home tab or its messages. */
export function openHome(stage: Stage, user: string, tab: 'home' | 'messages' = 'home'): Promise<Ack> {
  personOf(stage, user);
  const { workspace, views } = stage;
  const view = tab === 'home' ? views.homeOf(user) : undefined;
  return sendEvent(stage, {
    type: 'app_home_opened',
    user,
    channel: workspace.directOf(user),
    tab,
    event_ts: workspace.nextTs(),
    ...(view ? { view } : {}),
  });
}
