import type { Method } from '../slack-method.ts';
import { appMethods } from './app-methods.ts';
import { chatMethods } from './chat-methods.ts';
import { conversationMethods, userMethods } from './conversation-methods.ts';
import { fileMethods } from './file-methods.ts';
import { viewMethods } from './view-methods.ts';

/** Every method of the Web API this stand-in knows, by family. */
export const methods: readonly Method[] = [
  ...appMethods,
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
  ...userMethods,
  ...viewMethods,
];
