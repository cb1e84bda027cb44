/** Names for the values of the API that the calls of this client take and give. */
import type { components } from "./openapi.js";

type Schemas = components["schemas"];

export type RecallRequest = Schemas["RecallRequest"];
export type RecallResponse = Schemas["RecallResponse"];
export type ContextRequest = Schemas["ContextRequest"];
export type ContextResponse = Schemas["ContextResponse"];
export type MessageAdded = Schemas["MessageAdded"];
export type RememberRequested = Schemas["RememberRequested"];
export type EventResult = Schemas["EventResult"];
export type FieldProblem = Schemas["FieldProblem"];
export type Memory = Schemas["Memory"];
export type MemoryDetail = Schemas["MemoryDetail"];
export type MemoryList = Schemas["MemoryList"];
export type MemoryRevision = Schemas["MemoryRevision"];
export type AddRequest = Schemas["AddRequest"];
export type EditRequest = Schemas["EditRequest"];
export type CommandResult = Schemas["CommandResult"];
export type Todo = Schemas["Todo"];
export type TodoList = Schemas["TodoList"];
export type AddTodoRequest = Schemas["AddTodoRequest"];
export type ChangedRecord = Schemas["ChangedRecord"];
export type ChangeEventType = Schemas["ChangeEventType"];

/** An event of a conversation, as `POST /v1/events` takes it. */
export type ConversationEvent =
  | MessageAdded
  | RememberRequested
  | Schemas["SessionStarted"]
  | Schemas["SessionEnded"]
  | Schemas["SummaryPublished"]
  | Schemas["FeedbackGiven"]
  | Schemas["RecallUsed"]
  | Schemas["SkillSucceeded"]
  | Schemas["SkillFailed"];

/** The user, agent and project from which memories are seen. */
export interface Scope {
  user_id: string;
  agent_id?: string | null;
  project_id?: string | null;
}

/** One record that changed. The same change has the same `id` wherever it is told. */
export interface ChangeEvent {
  id: string;
  type: ChangeEventType;
  /** When the change was decided, in UTC. */
  timestamp: string;
  data: ChangedRecord;
  /** The place in the stream; give it as `after` to go on behind it in another process. */
  position: string;
}

export interface CallOptions {
  /** Ends the call and its attempts. */
  signal?: AbortSignal | undefined;
}
