import type { Method } from '../slack-method.ts';
import { appMethods } from './app-methods.ts';
import { chatMethods } from './chat-methods.ts';
import { conversationMethods } from './conversation-methods.ts';
import { fileMethods } from './file-methods.ts';
import { userMethods } from './user-methods.ts';
import { viewMethods } from './view-methods.ts';

/** Every method of the Web API this stand-in knows, a family per file. */
export const methods: readonly Method[] = [
  ...appMethods,
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
  ...userMethods,
  ...viewMethods,
];
