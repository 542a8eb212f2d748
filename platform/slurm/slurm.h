// The door of the slurm block: numbered pieces of work as job arrays of the batch system Slurm (sbatch, squeue,
// scancel; no accounting database), and how they are dealt to tasks. Plain C++; it does not know what a piece is.
#pragma once

#include "array_job.h"
#include "dealer.h"
#include "tool.h"
