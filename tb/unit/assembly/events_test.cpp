// Every wait and update form and the mode byte it stands for (isa.md 1.3, 1.4).
#include "texts.h"

namespace dve::assembly::test {
namespace events_text_test {

struct Form {
  std::string text;
  unsigned mode, index, value;
};

const std::vector<Form> kWaits = {{"sem[3]==16", 0x01, 3, 16},
                                  {"sem[0]<1", 0x02, 0, 1},
                                  {"sem[255]<=0x10", 0x03, 255, 16},
                                  {"sem[3]>0", 0x04, 3, 0},
                                  {"sem[3]>=4294967295", 0x05, 3, 0xFFFFFFFF},
                                  {"sem[3]>=-1", 0x05, 3, 0xFFFFFFFF},
                                  {"sem[3]<-2147483648", 0x02, 3, 0x80000000},
                                  {"sem[3]==r0", 0x81, 3, 0},
                                  {"sem[3]<r63", 0x82, 3, 63},
                                  {"sem[3]<=r7", 0x83, 3, 7},
                                  {"sem[3]>r7", 0x84, 3, 7},
                                  {"sem[3]>=r7", 0x85, 3, 7},
                                  {"evt[2]", 0x06, 2, 0},
                                  {"evt[2]:clear", 0x07, 2, 0},
                                  {"!evt[200]", 0x0E, 200, 0},
                                  {"!evt[2]:set", 0x0F, 2, 0}};

// Without "@complete", which adds 0x10.
const std::vector<Form> kUpdates = {{"sem[4]++", 0x03, 4, 0},     {"sem[4]--", 0x04, 4, 0},
                                    {"sem[4]+=1", 0x05, 4, 1},    {"sem[4]-=0xffffffff", 0x07, 4, 0xFFFFFFFF},
                                    {"sem[255]=0", 0x09, 255, 0}, {"sem[4]+=r5", 0x85, 4, 5},
                                    {"sem[4]-=r6", 0x87, 4, 6},   {"sem[4]=r63", 0x89, 4, 63},
                                    {"evt[2]=1", 0x01, 2, 0},     {"evt[2]=0", 0x02, 2, 0}};

TEST(Events, EveryWait) {
  for (const Form& form : kWaits) {
    EXPECT_TRUE(assembles_to("nop wait=" + form.text,
                             Bytes(0xA4).at(4, 1, form.mode).at(5, 1, form.index).at(8, 4, form.value)));
    EXPECT_TRUE(assembles_to("event_semaphore wait1=" + form.text,
                             Bytes(0xA0).at(32, 1, form.mode).at(33, 1, form.index).at(36, 4, form.value)));
  }
}

TEST(Events, EveryUpdate) {
  for (const Form& form : kUpdates) {
    for (const auto& [when, added] :
         std::vector<std::pair<std::string, unsigned>>{{"@read", 0u}, {"@complete", 0x10u}, {"", 0x10u}}) {
      const Bytes update = Bytes(0xA4).at(6, 1, form.mode + added).at(7, 1, form.index).at(8, 4, form.value);
      EXPECT_TRUE(assembles_to("nop update=" + form.text + when, update));
      EXPECT_TRUE(assembles_to("event_semaphore update1=" + form.text + when,
                               Bytes(0xA0).at(34, 1, form.mode + added).at(35, 1, form.index).at(40, 4, form.value)));
    }
  }
}

TEST(Events, WaitAndUpdateShareOneValue) {
  EXPECT_TRUE(assembles_to("nop wait=sem[1]>=5 update=sem[2]+=5", Bytes(0xA4).at(4, 4, 0x02150105).at(8, 4, 5)));
  EXPECT_TRUE(assembles_to("nop wait=sem[1]>=5 update=sem[2]++", Bytes(0xA4).at(4, 4, 0x02130105).at(8, 4, 5)));
  EXPECT_TRUE(assembles_to("nop wait=evt[1] update=sem[2]=9", Bytes(0xA4).at(4, 4, 0x02190106).at(8, 4, 9)));
  EXPECT_TRUE(assembles_to("nop wait=sem[1]>=5 update=sem[2]=r5", Bytes(0xA4).at(4, 4, 0x02990105).at(8, 4, 5)));
  EXPECT_TRUE(one_error("nop wait=sem[1]>=5 update=sem[2]+=6", 1, 27, {"update=sem[2]+=6", "value 5 of wait="}));
  EXPECT_TRUE(one_error("nop update=sem[2]=r6 wait=sem[1]>=5", 1, 12, {"update=sem[2]=r6", "value 5 of wait="}));
}

TEST(Events, TheSecondPairHasValuesOfItsOwn) {
  EXPECT_TRUE(
      assembles_to("event_semaphore wait=sem[1]>=5 update=sem[2]+=5 wait1=sem[3]==6 update1=sem[4]-=7@read",
                   Bytes(0xA0).at(4, 4, 0x02150105).at(8, 4, 5).at(32, 4, 0x04070301).at(36, 4, 6).at(40, 4, 7)));
}

TEST(Events, ModesWithoutATextAreRaw) {
  EXPECT_TRUE(assembles_to("nop wait_mode=0xfe", Bytes(0xA4).at(4, 1, 0xFE)));
  EXPECT_TRUE(
      assembles_to("nop wait_mode=0x81 wait_idx=1 semaphore_value=64", Bytes(0xA4).at(4, 2, 0x0181).at(8, 4, 64)))
      << "register 64 does not exist";
  EXPECT_TRUE(assembles_to("nop update_mode=0x93 update_idx=7", Bytes(0xA4).at(6, 2, 0x0793)));
  EXPECT_TRUE(
      assembles_to("nop wait_idx=4 update_idx=5 semaphore_value=6", Bytes(0xA4).at(5, 1, 4).at(7, 1, 5).at(8, 4, 6)));
  EXPECT_TRUE(
      assembles_to("event_semaphore wait_mode1=0xfe wait_idx1=1 update_mode1=0xff update_idx1=2 "
                   "sem_wait_value=3 sem_update_value=4",
                   Bytes(0xA0).at(32, 4, 0x02FF01FE).at(36, 4, 3).at(40, 4, 4)));
}

TEST(Events, RawFieldsWin) {
  EXPECT_TRUE(assembles_to("nop wait=sem[1]>=5 wait_idx=9 update=sem[2]++ update_mode=0x14",
                           Bytes(0xA4).at(4, 4, 0x02140905).at(8, 4, 5)));
}

}  // namespace events_text_test
}  // namespace dve::assembly::test
