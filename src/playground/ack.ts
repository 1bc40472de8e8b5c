/** How the app received something Slack sent it. */
export interface Ack {
  /** `ok`, or the error Slack shows the person who caused it. */
  readonly outcome:
    | 'ok'
    | 'operation_timeout'
    | 'dispatch_failed'
    | 'http_client_error'
    | 'http_service_error';
  /** HTTP status; null over Socket Mode or when nothing answered. */
  readonly status: number | null;
  /** The acknowledgement's body: parsed where it is JSON, else its text. */
  readonly body: unknown;
  readonly ms: number;
}

/** What is sent: each kind travels in its own form. */
export type DeliveryKind = 'command' | 'interactive' | 'event';

/** Slack sends an event again when it was not acknowledged. */
export interface Retry {
  readonly number: number;
  readonly reason: 'http_timeout' | 'http_error' | 'connection_failed';
}
