import { embeddedPlace } from "../../support/job-store.ts";
import { conformance } from "./conformance/all.ts";

conformance("the embedded database", embeddedPlace);
