import type { InputState } from './block-elements.ts';
import type { Ack, DeliveryKind, Retry } from './deliver.ts';
import type { Faults, PostPace } from './faults.ts';
import type { ResponseUrls, Triggers } from './interaction-grants.ts';
import type { Views } from './open-views.ts';
import type { PlaygroundLimits, PlaygroundOptions } from './playground-options.ts';
import type { Json } from './slack-json.ts';
import type { SocketMode } from './socket-mode.ts';
import type { Files } from './uploaded-files.ts';
import type { Workspace } from './workspace.ts';

/** Everything that stands behind the page and the Web API of one playground. */
export interface Stage {
  readonly options: PlaygroundOptions;
  readonly limits: PlaygroundLimits;
  readonly workspace: Workspace;
  readonly views: Views;
  readonly files: Files;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly sockets: SocketMode;
  readonly faults: Faults;
  readonly pace: PostPace;
  readonly inputs: InputState;
  /** Sends something to the app and waits for its acknowledgement, three seconds at most. */
  readonly deliver: (kind: DeliveryKind, payload: Json, retry?: Retry) => Promise<Ack>;
}
