import type { Ack, DeliveryKind, Retry } from './ack.ts';
import type { Faults } from './faults.ts';
import type { Files } from './files.ts';
import type { InputState } from './input-state.ts';
import type { Json } from './json.ts';
import type { PlaygroundLimits, PlaygroundOptions } from './options.ts';
import type { PostPace } from './post-pace.ts';
import type { ResponseUrls } from './response-urls.ts';
import type { SocketMode } from './socket-mode.ts';
import type { Triggers } from './triggers.ts';
import type { Views } from './views.ts';
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
