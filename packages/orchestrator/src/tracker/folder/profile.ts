import type { TrackerProfile } from "../../domain/tracker.ts";

/** The default of `provider.path`. */
export const DEFAULT_PATH = "issues";

export const FOLDER_PROFILE: TrackerProfile = {
  kind: "folder",
  summary: "A folder of Markdown files, one for each issue. It needs no account and no server.",
  keys: [
    {
      key: "path",
      what: "The folder of the issues, relative to WORKFLOW.md and below its folder. No part of it may be a link.",
      required: false,
      default: DEFAULT_PATH,
    },
  ],
  activeStates: ["todo", "in progress"],
  terminalStates: ["done", "cancelled"],
  notes: {
    scope:
      "Every regular file `<IDENTIFIER>.md` directly in the folder is an issue. Names that begin with a dot and names without `.md` are ignored. Links, FIFOs, folders, and files above 1 MiB are not read.",
    paging:
      "The whole folder is one answer. A file is read again only if its size, times or inode have changed. If the folder cannot be read, is missing, or is on another file system than before, the call fails; the answer is never an empty list.",
    identity:
      "`id` and `identifier` are the name of the file without `.md`. `native_ref` is `{ file }`. `url` and `assignee_id` are null.",
    normalization:
      "The front matter has `title` and `state` (required), `priority` (a whole number), `labels` (a list of texts), `blocked_by` (a list of identifiers), `branch_name` and `created_at` (RFC 3339, or a date). The text below it is the description. `updated_at` is the time of the file. Other keys are ignored and kept. An unusable optional value is null or left out. An issue is dispatchable when all issues that it names in `blocked_by` are in terminal states; an issue that does not exist is not. A malformed file is left out of lists with a warning, and fails a refresh.",
    errors:
      "`invalid_tracker_config`: `path` is not below the folder of WORKFLOW.md, or leads through a link. `tracker_request`: the folder or a file cannot be read. `tracker_response`: a refreshed issue, or an issue that blocks it, is malformed. The other categories do not occur.",
  },
  tools: [
    {
      name: "issue_update",
      what: "Sets the state of the agent's own issue, and appends a comment to its text: `{ state?, comment? }`. The rest of the file stays as it is, byte for byte.",
      mutates: true,
    },
  ],
};
