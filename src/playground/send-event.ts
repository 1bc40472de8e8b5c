import type { Ack, Retry } from './ack.ts';
import type { Json } from './json.ts';
import type { Stage } from './stage.ts';

/** Sends an event to the app, and once more when it was not acknowledged, as Slack does at first. */
export async function sendEvent(stage: Stage, event: Json): Promise<Ack> {
  const { options } = stage;
  const payload = {
    token: 'verification-token-nobody-checks',
    team_id: options.team.id,
    api_app_id: options.app.id,
    event,
    type: 'event_callback',
    event_id: `Ev${options.newId().slice(0, 10)}`,
    event_time: Math.floor(options.now() / 1_000),
    authorizations: [
      {
        enterprise_id: null,
        team_id: options.team.id,
        user_id: options.app.botUserId,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
  };
  const ack = await stage.deliver('event', payload);
  return ack.outcome === 'ok'
    ? ack
    : stage.deliver('event', payload, { number: 1, reason: reasons[ack.outcome] });
}

const reasons: Readonly<Record<Exclude<Ack['outcome'], 'ok'>, Retry['reason']>> = {
  operation_timeout: 'http_timeout',
  dispatch_failed: 'connection_failed',
  http_client_error: 'http_error',
  http_service_error: 'http_error',
};
