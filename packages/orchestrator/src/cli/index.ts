export { FleetError } from "../domain/errors.ts";
